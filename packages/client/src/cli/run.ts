import { type Command, CommanderError } from 'commander';
import { EndWith, type Terminal } from './terminal.js';

/** Runs a command of `program` and resolves to its exit code. An error is one line on `err`, with exit code 1. */
export async function runProgram(program: Command, args: string[], terminal: Terminal): Promise<number> {
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof EndWith) return error.exitCode;
    // commander has already written its line
    if (error instanceof CommanderError) return error.exitCode;
    terminal.err(`error: ${lineOf(error)}\n`);
    return 1;
  }
}

/** Its subcommands, added later, write and exit in the same way. */
export const prepared = (program: Command, terminal: Terminal): Command =>
  program.exitOverride().configureOutput({
    writeOut: (text) => terminal.out(text),
    // puts commander's suggestion on the same line
    writeErr: (text) => terminal.err(text.replace('\n(', ' (')),
  });

function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.message || error.name).replace(/\s*\n\s*/g, ' ');
}

/** The streams and the environment of this process. */
export const PROCESS_TERMINAL: Terminal = {
  environment: () => process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
};
