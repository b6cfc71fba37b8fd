import { ConfigError } from './config-error.js';
import type { Parse } from './parsers.js';
import { weaknessOf } from './secrets.js';

const MIN_TOKEN_LENGTH = 16;

/** A token that is sent in an HTTP header. */
export const routeToken: Parse<string> = (token, name) => {
  const takes = `at least ${MIN_TOKEN_LENGTH} random characters without spaces (openssl rand -hex 24)`;
  if (token.length < MIN_TOKEN_LENGTH) throw new ConfigError(name, `${token.length} characters`, takes);
  const fault = /^[\x21-\x7e]+$/.test(token) ? weaknessOf(token) : 'characters that are not allowed in a header';
  if (fault) throw new ConfigError(name, fault, takes);
  return token;
};

export const TAKES_ENCRYPTION_KEYS = '32 bytes in base64 (openssl rand -base64 32), older keys after commas';

/** 32-byte AES keys in base64. */
export const encryptionKeys: Parse<Buffer[]> = (text, name) => {
  const takes = TAKES_ENCRYPTION_KEYS;
  return text.split(',').map((part, index) => {
    const key = Buffer.from(part.trim(), 'base64');
    // Buffer.from skips characters that are not base64: a mistyped key would silently be another key
    if (key.toString('base64') !== part.trim()) throw new ConfigError(name, 'a key not in base64', takes);
    if (key.length !== 32) throw new ConfigError(name, `a key of ${key.length} bytes`, takes);
    // a weak older key is accepted: it encrypts nothing new, and without it stored values could not be decrypted
    const weakness = index === 0 ? weaknessOf(key.toString('latin1')) : undefined;
    if (weakness) throw new ConfigError(name, weakness, takes);
    return key;
  });
};

export const clientId: Parse<string> = (id, name) => {
  if (/^[\w.-]{1,100}$/.test(id)) return id;
  // not repeated, because people confuse id and secret
  throw new ConfigError(name, 'something else', 'up to 100 letters, digits, _ . -');
};

export const clientSecret: Parse<string> = (secret, name) => {
  if (secret.length < 16)
    throw new ConfigError(name, `${secret.length} characters`, 'a secret of at least 16 characters');
  const weakness = weaknessOf(secret);
  if (weakness) throw new ConfigError(name, weakness, 'random characters (openssl rand -hex 24)');
  return secret;
};
