import { Command, CommanderError } from 'commander';
import { addConfigCommands } from './config-commands.js';
import { addFlowsCommands } from './flows/flows-commands.js';
import { addListenCommand } from './listen/listen-command.js';
import { addClientCommands, addMerchantCommands } from './merchant-commands.js';
import { addMigrateCommand } from './migrate-command.js';
import { addRestoreCommands } from './restore-commands.js';
import { addSecretsCommands } from './secrets-commands.js';
import { type Terminal, CommandError, EndWith } from './terminal.js';

/** Each group adds its commands. Add a new group only here. */
const GROUPS = [
  addMigrateCommand,
  addConfigCommands,
  addMerchantCommands,
  addClientCommands,
  addSecretsCommands,
  addRestoreCommands,
  addListenCommand,
  addFlowsCommands,
  addDemoCommand,
  addOpenApiCommand,
];

/** Runs one command and resolves to its exit code. An error is one line on `err`, with exit code 1. */
export async function runCommandLine(args: string[], terminal: Terminal): Promise<number> {
  const program = new Command('cli')
    .description('Administers the payment orchestrator. Uses the settings of the service, and works while it runs.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      // puts commander's suggestion on the same line
      writeErr: (text) => terminal.err(text.replace('\n(', ' (')),
    });
  for (const add of GROUPS) add(program, terminal);
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

function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.message || error.name).replace(/\s*\n\s*/g, ' ');
}

function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('run the whole service on a temporary embedded database, and show how it routes, delivers and retries')
    .action(async () => {
      // loaded on demand: the other commands do not need it
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
