import { randomUUID } from 'node:crypto';
import { type Behaviour, type Receiver, startReceiver } from './receiver.js';

export interface TokenEndpoint {
  url: string;
  requests: Receiver['requests'];
  /** Tokens in the order of their issue. */
  issued: string[];
  /** Returns whether the header `Authorization` has a token that is valid now. */
  accepts(authorization: string | undefined): boolean;
  /** Ends the validity of all tokens. */
  revokeAll(): void;
  /** Replaces the answers; `undefined`: as RFC 6749 says again. */
  misbehave(behaviour: Behaviour | undefined): void;
  stop(): Promise<void>;
}

/** An authorization server that issues tokens for one client, as RFC 6749, 4.4, says. It answers with that RFC's errors. */
export async function startTokenEndpoint(client: {
  id: string;
  secret: string;
  scope: string;
  expiresIn: number;
}): Promise<TokenEndpoint> {
  const issued: string[] = [];
  const endsAt = new Map<string, number>();
  let misbehaviour: Behaviour | undefined;
  const json = (status: number, body: object) => ({
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  });
  const issue: Behaviour = ({ method, headers, body }) => {
    const form = new URLSearchParams(body.toString());
    if (method !== 'POST' || headers['content-type'] !== 'application/x-www-form-urlencoded')
      return json(400, { error: 'invalid_request' });
    if (headers.authorization !== basicOf(client)) return json(401, { error: 'invalid_client' });
    if (form.get('grant_type') !== 'client_credentials') return json(400, { error: 'unsupported_grant_type' });
    if (form.get('scope') !== client.scope) return json(400, { error: 'invalid_scope' });
    const token = `token-${randomUUID()}`;
    issued.push(token);
    endsAt.set(token, Date.now() + client.expiresIn * 1_000);
    return json(200, { access_token: token, token_type: 'Bearer', expires_in: client.expiresIn });
  };
  const receiver = await startReceiver((request, index) => (misbehaviour ?? issue)(request, index));
  return {
    url: `${receiver.url}/token`,
    requests: receiver.requests,
    issued,
    accepts: (authorization) => (endsAt.get(authorization?.replace(/^Bearer /, '') ?? '') ?? 0) > Date.now(),
    revokeAll: () => endsAt.clear(),
    misbehave: (behaviour) => (misbehaviour = behaviour),
    stop: () => receiver.stop(),
  };
}

/** RFC 6749, 2.3.1: both are form-encoded first. */
const basicOf = ({ id, secret }: { id: string; secret: string }): string => {
  const [encodedId, encodedSecret] = [id, secret].map((text) => encodeURIComponent(text).replaceAll('%20', '+'));
  return `Basic ${Buffer.from(`${encodedId}:${encodedSecret}`).toString('base64')}`;
};
