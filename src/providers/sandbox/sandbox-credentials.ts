import type { FieldError } from '../../shared/problem.js';
import { SANDBOX_TOKENS } from './sandbox-token.js';

const CREDENTIALS: Readonly<Record<string, { isValid: (value: unknown) => boolean; takes: string }>> = {
  notification_secret: {
    isValid: (value) => typeof value === 'string' && value.length >= 16 && value.length <= 200,
    takes: 'a string of 16 to 200 characters',
  },
  simulate: {
    isValid: (value) => typeof value === 'string' && SANDBOX_TOKENS.includes(value),
    takes: `one of ${SANDBOX_TOKENS.join(', ')}`,
  },
  transaction_ids: { isValid: (value) => value === 'provider', takes: '"provider", or left out' },
};

const NAMES = Object.keys(CREDENTIALS);
const KNOWN = `${NAMES.slice(0, -1).join(', ')} and ${NAMES.at(-1)}`;

/** What is wrong with a shop's credentials at the sandbox; empty when nothing is. */
export const credentialErrors = (credentials: Record<string, unknown>): FieldError[] =>
  Object.entries(credentials).flatMap(([field, value]) => {
    const credential = Object.hasOwn(CREDENTIALS, field) ? CREDENTIALS[field] : undefined;
    if (!credential) return [{ field, message: `is not a credential of the sandbox; it takes ${KNOWN}` }];
    return credential.isValid(value) ? [] : [{ field, message: `must be ${credential.takes}` }];
  });

/** What notifications are signed with; `undefined`: none can be sent. */
export function notificationSecret(credentials: Record<string, unknown>): string | undefined {
  const secret = credentials['notification_secret'];
  return typeof secret === 'string' ? secret : undefined;
}

export const choosesTransactionIds = (credentials: Record<string, unknown>): boolean =>
  credentials['transaction_ids'] === 'provider';
