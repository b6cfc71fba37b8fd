import { ConfigError } from '../platform/config/env-reader.js';

/** Why the process cannot start, in one line for the operator. */
export class StartError extends Error {}

/** The one line for stderr. Failures that we did not foresee are in the log with their stack. */
export function startFailureLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const line = message.replace(/\s*\n\s*/g, ' ');
  return error instanceof StartError || error instanceof ConfigError ? line : `cannot start: ${line}`;
}

export const isForeseen = (error: unknown): boolean => error instanceof StartError || error instanceof ConfigError;
