import { createHmac } from 'node:crypto';

/** A webhook as received. */
export interface SignedWebhook {
  body: Buffer;
  /** The headers `webhook-id`, `webhook-timestamp`, `Signature` and `webhook-signature`. */
  id: string;
  timestamp: string;
  signature: string;
  standard: string;
}

export interface Verification {
  /** Index of the secret that made `Signature`; -1: none. */
  secret: number;
  /** Whether all signatures are valid. */
  isGenuine: boolean;
}

/**
 * Verifies as in the specification and https://www.standardwebhooks.com, without the product's code. Each signature in
 * `webhook-signature` must be of a known secret, and one of them of the secret of `Signature`. A secret that is no
 * longer trusted is `undefined`.
 */
export function verifyWebhook(known: readonly (string | undefined)[], webhook: SignedWebhook): Verification {
  const { body, id, timestamp, signature, standard } = webhook;
  const secret = known.findIndex((one) => one !== undefined && hmac(one, 'hex', body) === signature);
  const right = known.map((one) => one && `v1,${hmac(keyOf(one), 'base64', `${id}.${timestamp}.`, body)}`);
  const given = standard.split(' ');
  const isGenuine = secret >= 0 && given.includes(right[secret]!) && given.every((one) => right.includes(one));
  return { secret, isGenuine };
}

const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

function hmac(key: string | Buffer, encoding: 'hex' | 'base64', ...parts: (string | Buffer)[]): string {
  const hash = createHmac('sha256', key);
  for (const part of parts) hash.update(part);
  return hash.digest(encoding);
}
