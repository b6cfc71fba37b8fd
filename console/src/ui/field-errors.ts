import { ProblemError } from '@payment-orchestrator/client';

export type FieldErrorOf = string | undefined;

/** The API's message about one field, such as `shops[0].weight`. */
export const fieldError = (error: unknown, field: string): FieldErrorOf =>
  error instanceof ProblemError ? error.fields.find((each) => each.field === field)?.message : undefined;
