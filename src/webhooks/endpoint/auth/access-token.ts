import { decodedBody } from '../../../platform/outbound/decoded-body.js';
import type { OutboundRequest, OutboundResult } from '../../../platform/outbound/outbound-result.js';
import type { EndpointAuth } from './endpoint-auth.js';

/** The header `User-Agent` of requests to receivers and to their token endpoints. */
export const USER_AGENT = 'payment-orchestrator-webhooks/1.0';

export type ClientCredentials = Extract<EndpointAuth, { type: 'oauth2_client_credentials' }>;

/** A token, or why there is none: without a URL, a secret or text of the token endpoint. */
export type TokenAnswer = { token: string; lifetimeMs: number } | { problem: string };

/** RFC 6749, 5.1 does not require `expires_in`. A receiver that refuses the token earlier causes a new one. */
const DEFAULT_LIFETIME_S = 300;
const MAX_LIFETIME_S = 86_400;
/** Time before the end of a token in which it is not used: at most 30 s, or a tenth of its life. */
const MARGIN_S = 30;
const TOKEN = /^[\x21-\x7e]{1,8192}$/;
/** Some gateways write `BearerToken` (Apigee) or nothing, though RFC 6749, 5.1 requires the type. */
const BEARER = /^\s*(?:bearer(?:[\s_-]*token)?)?\s*$/i;
/** Drops a byte order mark. */
const UTF_8 = new TextDecoder('utf-8');
const WITH_TOKEN: readonly number[] = [200, 201];
/** RFC 6749, 4.1.2.1 and 5.2, RFC 8707, 2. Only these are repeated: any other text could be a secret. */
const ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
  'access_denied',
  'server_error',
  'temporarily_unavailable',
];

export const basicCredentials = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;

/**
 * The request for a token with client credentials: RFC 6749, 4.4.2, with the client's password as the endpoint's
 * `client_authentication` says (2.3.1).
 */
export function tokenRequest(auth: ClientCredentials, timeoutMs: number): OutboundRequest {
  const { token_url: url, client_id: id, client_secret: secret, scope, audience, resource } = auth;
  const isInBody = auth.client_authentication === 'body';
  return {
    url,
    timeoutMs,
    body: formEncoded({
      grant_type: 'client_credentials',
      scope,
      audience,
      resource,
      ...(isInBody && { client_id: id, client_secret: secret }),
    }),
    headers: {
      ...(!isInBody && { authorization: basicCredentials(urlEncoded(id), urlEncoded(secret)) }),
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': USER_AGENT,
    },
  };
}

/**
 * Reads the answer of a token endpoint (RFC 6749, 5.1 and 5.2), also as servers write it that keep less of the RFC: any
 * content coding, a byte order mark, 201.
 */
export function tokenOf(result: OutboundResult): TokenAnswer {
  const { statusCode, error } = result;
  if (statusCode === null) return { problem: `the token endpoint gave no answer (${error})` };
  const body = decodedBody(result);
  const fields = body && jsonObject(UTF_8.decode(body));
  const code = ERRORS.find((known) => known === fields?.error);
  if (!WITH_TOKEN.includes(statusCode) || code !== undefined)
    return { problem: `the token endpoint answered ${statusCode}${code === undefined ? '' : ` (${code})`}` };
  if (body === undefined) return { problem: 'the answer of the token endpoint is compressed and cannot be read' };
  if (fields === undefined) return { problem: 'the answer of the token endpoint is not a JSON object' };
  const { access_token: token, token_type: type, expires_in: expiresIn } = fields;
  if (token === undefined || token === null) return { problem: 'the answer of the token endpoint has no access_token' };
  if (typeof token !== 'string' || !TOKEN.test(token))
    return { problem: 'the access_token of the token endpoint is not 1 to 8192 visible ASCII characters' };
  if (!isBearer(type ?? '')) return { problem: 'the token_type of the token endpoint is not bearer' };
  return { token, lifetimeMs: usableMs(expiresIn) };
}

const isBearer = (type: unknown): boolean => typeof type === 'string' && BEARER.test(type);

/** The time for which a token is used. Some servers give `expires_in` as text. */
function usableMs(expiresIn: unknown): number {
  const isGiven = (typeof expiresIn === 'number' || typeof expiresIn === 'string') && Number(expiresIn) >= 0;
  const seconds = Math.min(isGiven ? Number(expiresIn) : DEFAULT_LIFETIME_S, MAX_LIFETIME_S);
  return (seconds - Math.min(MARGIN_S, seconds / 10)) * 1_000;
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Without absent fields. */
const formEncoded = (fields: Record<string, string | undefined>): string =>
  new URLSearchParams(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  ).toString();
const urlEncoded = (text: string): string => formEncoded({ '': text }).slice(1);
