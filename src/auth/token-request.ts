import { type ClientCredentials, parseBasicCredentials } from './basic-credentials.js';
import { OAuthError } from './oauth-error.js';
import { splitScopes } from '../access/scopes.js';

export interface TokenRequest {
  credentials: ClientCredentials;
  /** How the client authenticated, which decides how a refusal is worded. */
  usesBasic: boolean;
  /** Names as asked for; `undefined`: all that the client holds. */
  scopes: string[] | undefined;
}

type Parameters = Record<string, unknown>;

/**
 * Reads a client-credentials request (RFC 6749 §4.4.2, §2.3.1) from its parsed body, form or JSON, and its
 * `Authorization` header. Unknown parameters are ignored, as §3.2 says. Throws `OAuthError`.
 */
export function parseTokenRequest(body: unknown, authorization: string | undefined): TokenRequest {
  const parameters = typeof body === 'object' && body !== null ? (body as Parameters) : {};
  const grantType = parameter(parameters, 'grant_type');
  if (grantType === undefined) throw new OAuthError('invalid_request', 'grant_type is missing');
  if (grantType !== 'client_credentials') {
    throw new OAuthError('unsupported_grant_type', 'grant_type takes client_credentials');
  }
  const scope = parameter(parameters, 'scope');
  return {
    ...authentication(parameters, authorization),
    scopes: scope === undefined ? undefined : splitScopes(scope),
  };
}

function authentication(
  parameters: Parameters,
  authorization: string | undefined,
): Pick<TokenRequest, 'credentials' | 'usesBasic'> {
  const clientId = parameter(parameters, 'client_id');
  const secret = parameter(parameters, 'client_secret');
  if (authorization !== undefined && /^basic\b/i.test(authorization)) {
    if (secret !== undefined) {
      throw new OAuthError('invalid_request', 'client credentials are in the header and in the body');
    }
    const credentials = parseBasicCredentials(authorization);
    if (!credentials) {
      throw new OAuthError('invalid_client', 'the Basic header is malformed', { challengesBasic: true });
    }
    if (clientId !== undefined && clientId !== credentials.clientId) {
      throw new OAuthError('invalid_request', 'client_id differs between the header and the body');
    }
    return { credentials, usesBasic: true };
  }
  if (clientId === undefined || secret === undefined) {
    throw new OAuthError('invalid_client', 'send client_id and client_secret in the body, or HTTP Basic credentials');
  }
  return { credentials: { clientId, secrets: [secret] }, usesBasic: false };
}

/** A parameter without a value counts as omitted, a repeated one is an error (RFC 6749 §3.2). */
function parameter(parameters: Parameters, name: string): string | undefined {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new OAuthError('invalid_request', `${name} takes one string`);
}
