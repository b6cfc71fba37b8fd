/** An invalid setting with which the service cannot start. `message` is the one line for the operator. */
export class ConfigError extends Error {
  constructor(
    readonly setting: string,
    got: string | undefined,
    takes: string,
  ) {
    super(`${setting}: got ${got === undefined ? 'nothing' : onOneLine(got)}, takes ${takes}`);
    this.name = 'ConfigError';
  }
}

const onOneLine = (text: string): string => {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
};

/** The reason why the process cannot start, in one line for the operator. */
export class StartError extends Error {}

/** The line for stderr. Unexpected errors are in the log with their stack. */
export function startFailureLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const line = message.replace(/\s*\n\s*/g, ' ');
  return isExpected(error) ? line : `cannot start: ${line}`;
}

export const isExpected = (error: unknown): boolean => error instanceof StartError || error instanceof ConfigError;
