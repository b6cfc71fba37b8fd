import { scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import type { Random } from '../shared/random.js';

/**
 * 32 MiB and about 80 ms of one core: acceptable for one token per hour, expensive for guessing a secret that an
 * operator chose.
 */
const COST = { ln: 15, r: 8, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const FORMAT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]{16,86})\$([\w-]{22,86})$/;

interface StoredHash {
  options: ScryptOptions;
  salt: Buffer;
  hash: Buffer;
}

const format = (salt: Buffer, hash: Buffer): string =>
  `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;

/** A hash without a known secret. The secret of an unknown client is compared with it, to take the same time. */
export const DECOY_HASH = format(Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

/** The scrypt hash (RFC 7914) of a secret, as `$scrypt$ln=15,r=8,p=1$<salt>$<hash>` with base64url parts. */
export async function hashSecret(secret: string, random: Random): Promise<string> {
  const salt = random.bytes(SALT_BYTES);
  return format(salt, await derive(secret, salt, HASH_BYTES, scryptOptions(COST.ln, COST.r, COST.p)));
}

/**
 * Whether `stored` is a hash of `secret`, with the cost parameters in `stored`. Throws if `stored` has another format.
 */
export async function verifySecret(secret: string, stored: string): Promise<boolean> {
  const { options, salt, hash } = parse(stored);
  return timingSafeEqual(await derive(secret, salt, hash.length, options), hash);
}

function parse(stored: string): StoredHash {
  const match = FORMAT.exec(stored);
  if (!match) throw new Error('the stored secret hash is not in the format of hashSecret');
  const [, ln, r, p, salt = '', hash = ''] = match;
  return {
    options: scryptOptions(Number(ln), Number(r), Number(p)),
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
}

/** scrypt needs slightly more than 128·N·r bytes; Node refuses above `maxmem`. */
const scryptOptions = (ln: number, r: number, p: number): ScryptOptions => ({
  N: 2 ** ln,
  r,
  p,
  maxmem: 128 * 2 ** ln * r * 2,
});

function derive(secret: string, salt: Buffer, length: number, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, length, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
