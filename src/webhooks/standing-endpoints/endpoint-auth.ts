/** How the service authenticates to a receiver. Secrets in plain text: stored encrypted, in no answer and no log. */
export type EndpointAuth =
  | { type: 'basic'; username: string; password: string }
  | { type: 'bearer'; token: string }
  | { type: 'oauth2_client_credentials'; token_url: string; client_id: string; client_secret: string; scope?: string };
