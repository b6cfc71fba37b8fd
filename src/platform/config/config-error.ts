/** A setting that the service cannot start with; `message` is the one line that the operator sees. */
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

/** Why the process cannot start, in one line for the operator. */
export class StartError extends Error {}

/** The one line for stderr. Unforeseen failures are in the log with their stack. */
export function startFailureLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const line = message.replace(/\s*\n\s*/g, ' ');
  return isForeseen(error) ? line : `cannot start: ${line}`;
}

export const isForeseen = (error: unknown): boolean => error instanceof StartError || error instanceof ConfigError;
