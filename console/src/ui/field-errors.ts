import { ProblemError } from '@payment-orchestrator/client';

export type FieldErrorOf = string | undefined;

/** The API's message about one field, such as `shops[0].weight`. */
export const fieldError = (error: unknown, field: string): FieldErrorOf =>
  error instanceof ProblemError ? error.fields.find((each) => each.field === field)?.message : undefined;

/** Whether a message is about the field or its parts. */
export const hasErrorWithin = (error: unknown, field: string): boolean =>
  error instanceof ProblemError &&
  error.fields.some(
    (each) => each.field === field || (/^[.[]/.test(each.field.slice(field.length)) && each.field.startsWith(field)),
  );
