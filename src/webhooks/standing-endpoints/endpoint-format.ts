/** How a body is rendered for an endpoint: the stored JSON, or a message for a Slack-compatible chat webhook. */
export const ENDPOINT_FORMATS = ['json', 'slack'] as const;
export type EndpointFormat = (typeof ENDPOINT_FORMATS)[number];
