import { describeFlows } from '@payment-orchestrator/client/cli/flows/flows-commands';
import { describeListen } from '@payment-orchestrator/client/cli/listen/listen-command';
import { prepared, runProgram } from '@payment-orchestrator/client/cli/run';
import { Command } from 'commander';
import { addConfigCommands } from './config-commands.js';
import { addClientCommands, addMerchantCommands } from './merchant-commands.js';
import { addMigrateCommand } from './migrate-command.js';
import { addRestoreCommands } from './restore-commands.js';
import { addSeedCommand, keepDemo, withSize } from './seed-commands.js';
import { addSecretsCommands } from './secrets-commands.js';
import { CommandError, type Terminal } from './terminal.js';

/** Each group adds its commands. Add a new group only here. */
const GROUPS: ((program: Command, terminal: Terminal) => unknown)[] = [
  addMigrateCommand,
  addConfigCommands,
  addMerchantCommands,
  addClientCommands,
  addSecretsCommands,
  addRestoreCommands,
  addSeedCommand,
  // these need only the API, so the client package has them as programs of their own
  (program, terminal) => describeListen(program.command('listen'), terminal),
  (program, terminal) => describeFlows(program.command('flows'), terminal),
  addDemoCommand,
  addOpenApiCommand,
];

/** Runs one command and resolves to its exit code. An error is one line on `err`, with exit code 1. */
export function runCommandLine(args: string[], terminal: Terminal): Promise<number> {
  const program = prepared(new Command('cli'), terminal).description(
    'Administers the payment orchestrator. Uses the settings of the service, and works while it runs.',
  );
  for (const add of GROUPS) add(program, terminal);
  return runProgram(program, args, terminal);
}

function addDemoCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('demo')
    .description('run the whole service on a temporary embedded database, and show how it routes, delivers and retries')
    .option('--keep', 'instead make two weeks of payments, and leave the service running on them');
  withSize(command).action(async ({ keep, ...size }: { keep?: true; seed: string; payments: string }) => {
    if (keep) return keepDemo(terminal, size);
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
