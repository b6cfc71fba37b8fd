import type { FieldError } from '../shared/problem.js';
import type { CredentialField } from './payment-provider.js';

/** One of a provider's credentials: a string. */
export interface Credential {
  pattern: RegExp;
  /** What it is, after "must be". */
  takes: string;
  required: boolean;
  /** It may be shown in full. */
  isPublic?: true;
  /** It verifies notifications; all others go with calls. */
  verifies?: true;
}

export const credentialFields = (
  known: Readonly<Record<string, Pick<Credential, 'takes' | 'isPublic' | 'verifies'> & { required?: boolean }>>,
): CredentialField[] =>
  Object.entries(known).map(([name, { takes, required = false, isPublic = false, verifies = false }]) => ({
    name,
    takes,
    required,
    isSecret: !isPublic,
    usedFor: verifies ? 'notifications' : 'calls',
  }));

/** What is wrong with credentials, each by its name. Messages never repeat the value: a mistyped secret is one all the same. */
export function credentialErrors(
  provider: string,
  known: Readonly<Record<string, Credential>>,
  credentials: Record<string, unknown>,
): FieldError[] {
  const names = new Intl.ListFormat('en').format(Object.keys(known));
  const unknown = Object.keys(credentials).filter((field) => !Object.hasOwn(known, field));
  return [
    ...unknown.map((field) => ({ field, message: `is not a credential of ${provider}; it takes ${names}` })),
    ...Object.entries(known).flatMap(([field, { pattern, takes, required }]) => {
      const value = credentials[field];
      if (value === undefined) return required ? [{ field, message: `is required: ${takes}` }] : [];
      return typeof value === 'string' && pattern.test(value) ? [] : [{ field, message: `must be ${takes}` }];
    }),
  ];
}
