import { Command, CommanderError } from 'commander';
import { addConfigCommands } from './config-commands.js';
import { addListenCommand } from './listen/listen-command.js';
import { addClientCommands, addMerchantCommands } from './merchant-commands.js';
import { addMigrateCommand } from './migrate-command.js';
import { addRestoreCommands } from './restore-commands.js';
import { addSecretsCommands } from './secrets-commands.js';
import { type Terminal, CommandError } from './terminal.js';

/** Each group adds its commands; a new one is named here and nowhere else. */
const GROUPS = [
  addMigrateCommand,
  addConfigCommands,
  addMerchantCommands,
  addClientCommands,
  addSecretsCommands,
  addRestoreCommands,
  addListenCommand,
  addDemoCommand,
  addOpenApiCommand,
];

/** Runs one command and resolves to the exit code. What went wrong is one line on `err`, and exit code 1. */
export async function runCommandLine(args: string[], terminal: Terminal): Promise<number> {
  const program = new Command('cli')
    .description('Administers the payment orchestrator. Works while the service runs, with the same settings.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      // what commander guesses was meant, on the same line
      writeErr: (text) => terminal.err(text.replace('\n(', ' (')),
    });
  for (const add of GROUPS) add(program, terminal);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // commander has already written its line
    if (error instanceof CommanderError) return error.exitCode;
    terminal.err(`error: ${lineOf(error)}\n`);
    return 1;
  }
}

function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.message || error.name).replace(/\s*\n\s*/g, ' ');
}

function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('run the whole service on a temporary embedded database, and watch it route, deliver and retry')
    .action(async () => {
      // loaded when asked for: the other commands do without its receiver and its output
      const { runDemo } = await import('./demo/demo.js');
      if (!(await runDemo())) throw new CommandError('the demo failed');
    });
}

function addOpenApiCommand(program: Command, terminal: Terminal): void {
  program
    .command('openapi')
    .description('print the OpenAPI document; needs neither settings nor a database')
    .action(async () => {
      const { openApiDocument } = await import('../bootstrap/document.js');
      terminal.out(`${JSON.stringify(await openApiDocument(), null, 2)}\n`);
    });
}
