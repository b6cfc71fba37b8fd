import type { CredentialField, FieldError } from './payment-provider.js';

/** A credential of a provider: a string. */
export interface Credential {
  pattern: RegExp;
  /** Description, which follows "must be". */
  takes: string;
  required: boolean;
  /** It may be shown in full. */
  isPublic?: true;
  /** Verifies notifications; all others are sent with calls. */
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

/** Errors of credentials, by name. Messages never repeat the value, because a mistyped secret is still a secret. */
export function credentialErrors(
  provider: string,
  known: Readonly<Record<string, Credential>>,
  credentials: Record<string, unknown>,
): FieldError[] {
  const names = new Intl.ListFormat('en').format(Object.keys(known));
  const unknown = Object.keys(credentials).filter((field) => !Object.hasOwn(known, field));
  return [
    ...unknown.map((field) => ({ field, message: `is not a credential of ${provider}; known credentials: ${names}` })),
    ...Object.entries(known).flatMap(([field, { pattern, takes, required }]) => {
      const value = credentials[field];
      if (value === undefined) return required ? [{ field, message: `is required: ${takes}` }] : [];
      return typeof value === 'string' && pattern.test(value) ? [] : [{ field, message: `must be ${takes}` }];
    }),
  ];
}
