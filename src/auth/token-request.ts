import { OAuthError } from './oauth-error.js';
import { splitScopes } from '../access/scopes.js';

export interface TokenRequest {
  credentials: ClientCredentials;
  /** The way the client authenticated, which decides the form of a refusal. */
  usesBasic: boolean;
  /** The requested names; `undefined`: all scopes of the client. */
  scopes: string[] | undefined;
}

type Parameters = Record<string, unknown>;

/**
 * Reads a client-credentials request (RFC 6749 §4.4.2, §2.3.1) from its parsed body, form or JSON, and its
 * `Authorization` header. Unknown parameters are ignored, as §3.2 requires. Throws `OAuthError`.
 */
export function parseTokenRequest(body: unknown, authorization: string | undefined): TokenRequest {
  const parameters = typeof body === 'object' && body !== null ? (body as Parameters) : {};
  const grantType = parameter(parameters, 'grant_type');
  if (grantType === undefined) throw new OAuthError('invalid_request', 'grant_type is missing');
  if (grantType !== 'client_credentials') {
    throw new OAuthError('unsupported_grant_type', 'grant_type must be client_credentials');
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

/** A parameter without a value counts as omitted; a repeated one is an error (RFC 6749 §3.2). */
function parameter(parameters: Parameters, name: string): string | undefined {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new OAuthError('invalid_request', `${name} must be one string`);
}

/** A client's id, and the possible values of its secret. */
export interface ClientCredentials {
  clientId: string;
  /** Most likely first; several if the sender's encoding is ambiguous. */
  secrets: string[];
}

const MAX_LENGTH = 8192;

/**
 * Reads `Authorization: Basic …` of a token request. RFC 6749 §2.3.1 requires both parts to be form-encoded inside the
 * base64, which curl and many libraries do not do. So a secret with `%` or `+` is tried both decoded and unchanged.
 * `null` if the header is not a well-formed Basic header.
 */
export function parseBasicCredentials(authorization: string): ClientCredentials | null {
  if (authorization.length > MAX_LENGTH) return null;
  const match = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization);
  const text = match?.[1] ? decodeUtf8(Buffer.from(match[1], 'base64')) : null;
  const colon = text?.indexOf(':') ?? -1;
  if (!text || colon < 1) return null;
  const secret = text.slice(colon + 1);
  return {
    clientId: formDecode(text.slice(0, colon)) ?? text.slice(0, colon),
    secrets: [...new Set([formDecode(secret) ?? secret, secret])],
  };
}

function formDecode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

function decodeUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
