import { ProblemError } from '@payment-orchestrator/client';

export type FieldErrorOf = string | undefined;

/** The API's message about one field, such as `shops[0].weight`. */
export const fieldError = (error: unknown, field: string): FieldErrorOf =>
  error instanceof ProblemError ? error.fields.find((each) => each.field === field)?.message : undefined;

/** The API's messages about the field and its parts, in one text. */
export function errorsWithin(error: unknown, field: string): FieldErrorOf {
  if (!(error instanceof ProblemError)) return undefined;
  const messages = error.fields.filter((each) => isWithin(each.field, field)).map(({ message }) => message);
  return messages.length === 0 ? undefined : messages.join('; ');
}

/** Whether a message is about the field or its parts. */
export const hasErrorWithin = (error: unknown, field: string): boolean => errorsWithin(error, field) !== undefined;

const isWithin = (path: string, field: string): boolean =>
  path === field || (/^[.[]/.test(path.slice(field.length)) && path.startsWith(field));
