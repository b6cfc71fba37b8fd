import type { Command } from 'commander';
import { MerchantsService } from '../auth/merchants.service.js';
import { administer } from './administration.js';
import { parseName } from './arguments.js';
import { answer, JSON_OPTION, type Terminal } from './terminal.js';

export function addMerchantCommands(program: Command, terminal: Terminal): void {
  program
    .command('merchant:create')
    .description('create a merchant')
    .requiredOption('--name <name>', 'what to call the merchant')
    .option(...JSON_OPTION)
    .action(async (options: { name: string }, command: Command) => {
      const name = parseName('--name', options.name);
      await administer(terminal, async (context) => {
        const { id } = await context.get(MerchantsService).create(name);
        answer(terminal, command, { id, name }, [`merchant ${id} created`]);
      });
    });
}
