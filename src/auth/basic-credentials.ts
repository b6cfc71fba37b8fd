/** A client's id, and what its secret may be. */
export interface ClientCredentials {
  clientId: string;
  /** In order of likelihood; more than one when the sender's encoding is ambiguous. */
  secrets: string[];
}

const MAX_LENGTH = 8192;

/**
 * Reads `Authorization: Basic …` of a token request. RFC 6749 §2.3.1 has both parts form-encoded inside the base64,
 * which curl and many libraries do not do: a secret with `%` or `+` is therefore tried decoded and as it stands.
 * `null` when the header is no well-formed Basic header.
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
