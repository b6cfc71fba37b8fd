import { decodeProtectedHeader, type ProtectedHeaderParameters } from 'jose';

/**
 * The header of a token, whose signature is not checked. Throws for what is no token, and for one with a `crit` member: it
 * names extensions that must be understood (RFC 7515 §4.1.11), and we know none. jsonwebtoken looks over it.
 */
export function tokenHeader(token: string): ProtectedHeaderParameters {
  const header = decodeProtectedHeader(token);
  if (header.crit !== undefined) throw new Error('the token has critical extensions');
  return header;
}
