import { type Credential, credentialFields, type FieldError } from '@payment-orchestrator/provider-kit';
import { SANDBOX_TOKENS } from './token.js';

interface SandboxCredential extends Pick<Credential, 'takes' | 'isPublic' | 'verifies'> {
  isValid: (value: unknown) => boolean;
}

const CREDENTIALS: Readonly<Record<string, SandboxCredential>> = {
  notification_secret: {
    isValid: (value) => typeof value === 'string' && value.length >= 16 && value.length <= 200,
    takes: 'a string of 16 to 200 characters',
    verifies: true,
  },
  simulate: {
    isValid: (value) => typeof value === 'string' && SANDBOX_TOKENS.includes(value),
    takes: `one of ${SANDBOX_TOKENS.join(', ')}`,
    isPublic: true,
  },
  account: {
    isValid: (value) => typeof value === 'string' && /^[a-z0-9-]{1,40}$/.test(value),
    takes: 'the name of a sandbox account: 1 to 40 lower-case letters, digits or dashes',
    isPublic: true,
  },
  any_token: { isValid: (value) => value === true, takes: 'true, or left out', isPublic: true },
  transaction_ids: { isValid: (value) => value === 'provider', takes: '"provider", or left out', isPublic: true },
};

export const SANDBOX_CREDENTIAL_FIELDS = credentialFields(CREDENTIALS);

const NAMES = Object.keys(CREDENTIALS);
const KNOWN = `${NAMES.slice(0, -1).join(', ')} and ${NAMES.at(-1)}`;

/** Errors of a shop's credentials at the sandbox; empty for valid ones. */
export const credentialErrors = (credentials: Record<string, unknown>): FieldError[] =>
  Object.entries(credentials).flatMap(([field, value]) => {
    const credential = Object.hasOwn(CREDENTIALS, field) ? CREDENTIALS[field] : undefined;
    if (!credential) return [{ field, message: `is not a credential of the sandbox; known credentials: ${KNOWN}` }];
    return credential.isValid(value) ? [] : [{ field, message: `must be ${credential.takes}` }];
  });

/** The secret that signs notifications; `undefined`: none can be sent. */
export function notificationSecret(credentials: Record<string, unknown>): string | undefined {
  const secret = credentials['notification_secret'];
  return typeof secret === 'string' ? secret : undefined;
}

export const choosesTransactionIds = (credentials: Record<string, unknown>): boolean =>
  credentials['transaction_ids'] === 'provider';
