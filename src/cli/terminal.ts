import type { Command } from 'commander';
import { randomBytes } from 'node:crypto';
import { type Config, loadConfig } from '../platform/config/config.js';

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

/** Most commands neither sign tokens nor open what is encrypted: they do without those secrets where none are given. */
const STAND_INS = {
  JWT_SECRET: randomBytes(32).toString('base64'),
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};

/** A secret that a command cannot do without. */
export type NeededSecret = keyof typeof STAND_INS;

/** The settings of the service, for commands that only need its database, and `needed`. Throws a `ConfigError`. */
export function loadSettings(terminal: Terminal, ...needed: NeededSecret[]): Readonly<Config> {
  const standIns = Object.entries(STAND_INS).filter(([name]) => !needed.some((one) => one === name));
  const given = Object.entries(terminal.environment()).filter(([, value]) => value !== undefined && value !== '');
  return loadConfig(Object.fromEntries([...standIns, ...given]));
}
