import type { Command } from 'commander';

/** The settings and output streams of a command. */
export interface Terminal {
  environment(): Record<string, string | undefined>;
  out(text: string): void;
  err(text: string): void;
  /** Called when the command handles SIGINT and SIGTERM from then on. */
  releaseSignals?(): void;
}

/** The option `--json`, for scripts, of every command with a result. */
export const JSON_OPTION = ['--json', 'print one JSON document instead of text'] as const;

/** The reason why a command failed, in one line. */
export class CommandError extends Error {}

/** Ends a command with another exit code than 0, although nothing failed. */
export class EndWith extends Error {
  constructor(readonly exitCode: number) {
    super(`exit code ${exitCode}`);
  }
}

/** Writes `result` as JSON if requested, otherwise `lines`. It is the only place that shows secrets. */
export function answer(terminal: Terminal, command: Command, result: unknown, lines: string[]): void {
  const text = command.opts<{ json?: boolean }>().json ? JSON.stringify(result, null, 2) : lines.join('\n');
  terminal.out(`${text}\n`);
}
