import type { Command } from 'commander';

/** Where a command reads its settings and writes what it has to say. */
export interface Terminal {
  environment(): Record<string, string | undefined>;
  out(text: string): void;
  err(text: string): void;
}

/** What every command that answers something offers: `--json`, for scripts. */
export const JSON_OPTION = ['--json', 'print one JSON document instead of text'] as const;

/** Why a command failed, in one line. */
export class CommandError extends Error {}

/** Writes `result` as JSON where that was asked for, else `lines`. Secrets are shown nowhere but here. */
export function answer(terminal: Terminal, command: Command, result: unknown, lines: string[]): void {
  const text = command.opts<{ json?: boolean }>().json ? JSON.stringify(result, null, 2) : lines.join('\n');
  terminal.out(`${text}\n`);
}

/** Rows with their columns aligned, the first one as the heading. */
export function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
