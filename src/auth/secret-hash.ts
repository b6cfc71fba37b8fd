import { scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import type { Random } from '../shared/random.js';

/** 32 MiB and some 80 ms of one core: bearable for a token an hour, dear for a guesser of an operator's own secret. */
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

/** A hash that no secret is known for: what the secret of an unknown client is checked against, to take as long. */
export const DECOY_HASH = format(Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

/** The scrypt hash (RFC 7914) of a secret, as `$scrypt$ln=15,r=8,p=1$<salt>$<hash>` with base64url parts. */
export async function hashSecret(secret: string, random: Random): Promise<string> {
  const salt = random.bytes(SALT_BYTES);
  return format(salt, await derive(secret, salt, HASH_BYTES, scryptOptions(COST.ln, COST.r, COST.p)));
}

/** Whether `stored` was made from `secret`, with the cost that `stored` names. Throws when `stored` is no such hash. */
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

/** scrypt needs 128·N·r bytes and a little more; Node refuses above `maxmem`. */
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
