import type { OutboundRequest, OutboundResult } from '../../platform/outbound/outbound-result.js';
import { USER_AGENT } from '../outbox/user-agent.js';
import type { EndpointAuth } from './endpoint-auth.js';

export type ClientCredentials = Extract<EndpointAuth, { type: 'oauth2_client_credentials' }>;

/** A token, or why there is none: without a URL, a secret or text of the token endpoint. */
export type TokenAnswer = { token: string; lifetimeMs: number } | { problem: string };

/** RFC 6749, 5.1 does not require `expires_in`. A receiver that refuses the token earlier causes a new one. */
const DEFAULT_LIFETIME_S = 300;
const MAX_LIFETIME_S = 86_400;
/** Time before the end of a token in which it is not used: at most 30 s, or a tenth of its life. */
const MARGIN_S = 30;
const TOKEN = /^[\x21-\x7e]{1,8192}$/;
/** RFC 6749, 5.2. Only these are repeated: any other text could be a secret. */
const ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
];

export const basicCredentials = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;

/** The request for a token with client credentials: RFC 6749, 4.4.2, with the client's password in HTTP Basic (2.3.1). */
export function tokenRequest(auth: ClientCredentials, timeoutMs: number): OutboundRequest {
  const { token_url: url, client_id: id, client_secret: secret, scope } = auth;
  return {
    url,
    timeoutMs,
    body: formEncoded({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) }),
    headers: {
      authorization: basicCredentials(urlEncoded(id), urlEncoded(secret)),
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      'user-agent': USER_AGENT,
    },
  };
}

/** Reads the answer of a token endpoint (RFC 6749, 5.1 and 5.2). */
export function tokenOf({ statusCode, error, responseBody }: OutboundResult): TokenAnswer {
  if (statusCode === null) return { problem: `the token endpoint gave no answer (${error})` };
  const fields = jsonObject(responseBody.toString('utf8'));
  if (statusCode !== 200) {
    const code = ERRORS.find((known) => known === fields.error);
    return { problem: `the token endpoint answered ${statusCode}${code === undefined ? '' : ` (${code})`}` };
  }
  const { access_token: token, token_type: type, expires_in: expiresIn } = fields;
  const isBearer = typeof type === 'string' && type.toLowerCase() === 'bearer';
  if (!isBearer || typeof token !== 'string' || !TOKEN.test(token))
    return { problem: 'the answer of the token endpoint has no bearer token' };
  return { token, lifetimeMs: usableMs(expiresIn) };
}

/** The time for which a token is used. Some servers give `expires_in` as text. */
function usableMs(expiresIn: unknown): number {
  const isGiven = (typeof expiresIn === 'number' || typeof expiresIn === 'string') && Number(expiresIn) >= 0;
  const seconds = Math.min(isGiven ? Number(expiresIn) : DEFAULT_LIFETIME_S, MAX_LIFETIME_S);
  return (seconds - Math.min(MARGIN_S, seconds / 10)) * 1_000;
}

function jsonObject(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const formEncoded = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();
const urlEncoded = (text: string): string => formEncoded({ '': text }).slice(1);
