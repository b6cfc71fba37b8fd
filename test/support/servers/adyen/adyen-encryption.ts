import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const KEY = randomBytes(32);
const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** The first characters of the values that Adyen's script makes: `{"alg":` in base64. */
const PREFIX = 'eyJhbGci';

/** A value of a card, encrypted as by Adyen's script in the payer's page. */
export function encrypt(value: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, KEY, iv);
  const encrypted = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return `${PREFIX}.${Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url')}`;
}

/** Also takes `test_` and the plain value, as Adyen's test environment does. `undefined`: it cannot be decrypted. */
export function decrypt(text: string): string | undefined {
  if (text.startsWith('test_')) return text.slice('test_'.length);
  if (!text.startsWith(`${PREFIX}.`)) return undefined;
  const bytes = Buffer.from(text.slice(PREFIX.length + 1), 'base64url');
  try {
    const decipher = createDecipheriv(ALGORITHM, KEY, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}
