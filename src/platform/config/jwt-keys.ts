import { createPrivateKey, createSecretKey, type KeyObject } from 'node:crypto';
import { ConfigError } from './config-error.js';
import type { Parse } from './parsers.js';
import { weaknessOf } from './secrets.js';

/** A key for access tokens: a shared secret, or a private key whose public half is published at `/.well-known/jwks.json`. */
export interface JwtKey {
  algorithm: 'HS256' | 'RS256' | 'ES256';
  key: KeyObject;
}

const MIN_SECRET_LENGTH = 32;
const TAKES_PEM = 'a PEM private key, RSA of at least 2048 bits or EC P-256, older keys after it';
const NO_PRIVATE_KEY = 'a value that is not a private key';

export const jwtSecrets: Parse<JwtKey[]> = (text) => text.split(',').map(secretKey);

function secretKey(part: string): JwtKey {
  const secret = part.trim();
  if (secret.length < MIN_SECRET_LENGTH) {
    const takes = `at least ${MIN_SECRET_LENGTH} characters, older secrets after commas`;
    throw new ConfigError('JWT_SECRET', `${secret.length} characters`, takes);
  }
  // also for an older secret, which only verifies: a caller that guesses it can create tokens
  const weakness = weaknessOf(secret);
  if (weakness) throw new ConfigError('JWT_SECRET', weakness, 'random characters (openssl rand -base64 48)');
  return { algorithm: 'HS256', key: createSecretKey(secret, 'utf8') };
}

/**
 * Parses one key after the other, as in `cat new.pem old.pem`; openssl writes EC PARAMETERS and attributes before a
 * key.
 */
export const jwtPrivateKeys: Parse<JwtKey[]> = (text) => {
  const blocks = text
    .replaceAll('\\n', '\n')
    .split(/(?=-----BEGIN )/)
    .filter((block) => /^-----BEGIN (?!EC PARAMETERS-)/.test(block));
  if (blocks.length === 0) throw new ConfigError('JWT_PRIVATE_KEY', NO_PRIVATE_KEY, TAKES_PEM);
  return blocks.map(privateKey);
};

function privateKey(pem: string): JwtKey {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw new ConfigError('JWT_PRIVATE_KEY', NO_PRIVATE_KEY, TAKES_PEM);
  }
  const details = key.asymmetricKeyDetails;
  if (key.asymmetricKeyType === 'rsa' && (details?.modulusLength ?? 0) >= 2048) return { algorithm: 'RS256', key };
  if (key.asymmetricKeyType === 'ec' && details?.namedCurve === 'prime256v1') return { algorithm: 'ES256', key };
  throw new ConfigError('JWT_PRIVATE_KEY', `a key of type ${key.asymmetricKeyType}`, TAKES_PEM);
}
