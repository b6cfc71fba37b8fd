import {
  type Credential,
  credentialErrors,
  credentialFields,
  type FieldError,
} from '@payment-orchestrator/provider-kit';

export interface AdyenCredentials {
  apiKey: string;
  merchantAccount: string;
  /** `undefined`: the test environment. */
  livePrefix: string | undefined;
  /** The data centre of the live endpoints; `undefined`: the default one, in the EU. */
  liveRegion: string | undefined;
}

const PREFIX = 'live_endpoint_url_prefix';
const REGION = 'live_region';

const CREDENTIALS: Readonly<Record<string, Credential>> = {
  api_key: {
    pattern: /^[\x21-\x7e]{20,512}$/,
    takes: 'an API key of Adyen: 20 to 512 characters without spaces',
    required: true,
  },
  merchant_account: {
    pattern: /^[A-Za-z0-9_.-]{1,80}$/,
    takes: 'the code of a merchant account at Adyen',
    required: true,
    isPublic: true,
  },
  environment: { pattern: /^(test|live)$/, takes: '"test" or "live"', required: true, isPublic: true },
  // becomes part of one label of a host name: never a dot, a slash or an @
  [PREFIX]: {
    pattern: /^[A-Za-z0-9]{1,32}-[A-Za-z0-9]{1,16}$/,
    takes: 'the prefix of the live endpoints, such as 1797a841fbb37ca7-AdyenDemo',
    required: false,
    isPublic: true,
  },
  [REGION]: {
    pattern: /^(eu|us|au|apse)$/,
    takes: '"eu", "us", "au" or "apse", the data centre of the live endpoints, or absent for "eu"',
    required: false,
    isPublic: true,
  },
  hmac_key: {
    pattern: /^([0-9A-Fa-f]{2}){32,64}$/,
    takes: 'the HMAC key of a standard webhook at Adyen: 64 hexadecimal digits',
    required: false,
    verifies: true,
  },
};

export const ADYEN_CREDENTIAL_FIELDS = credentialFields(CREDENTIALS);

export function adyenCredentialErrors(credentials: Record<string, unknown>): FieldError[] {
  const errors = credentialErrors('Adyen', CREDENTIALS, credentials);
  const { environment, [PREFIX]: prefix, [REGION]: region } = credentials;
  if (environment === 'live' && prefix === undefined) {
    errors.push({ field: PREFIX, message: 'is required for the live environment' });
  }
  if (environment === 'test' && prefix !== undefined) {
    errors.push({ field: PREFIX, message: 'is only for the live environment' });
  }
  if (environment === 'test' && region !== undefined) {
    errors.push({ field: REGION, message: 'is only for the live environment' });
  }
  return errors;
}

/** Reads credentials that `adyenCredentialErrors` accepted. */
export function readAdyenCredentials(credentials: Record<string, unknown>): AdyenCredentials {
  const { api_key: apiKey, merchant_account: merchantAccount, environment, [PREFIX]: prefix } = credentials;
  if (typeof apiKey !== 'string') throw new Error('the shop has no api_key for Adyen');
  if (typeof merchantAccount !== 'string') throw new Error('the shop has no merchant_account for Adyen');
  const isLive = environment === 'live';
  if (isLive && typeof prefix !== 'string') throw new Error(`the shop has no ${PREFIX} for Adyen`);
  const { [REGION]: region } = credentials;
  return {
    apiKey,
    merchantAccount,
    livePrefix: isLive ? (prefix as string) : undefined,
    liveRegion: isLive && region !== 'eu' ? (region as string | undefined) : undefined,
  };
}
