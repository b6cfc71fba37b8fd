import type { FieldError } from '../shared/problem.js';

/** One of a provider's credentials: a string. */
export interface Credential {
  pattern: RegExp;
  /** What it is, after "must be". */
  takes: string;
  required: boolean;
}

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
