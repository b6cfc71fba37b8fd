import type { Command } from 'commander';
import type { Config } from '../platform/config/config.js';
import { SEEDING_SETTINGS } from './seed/seeding-settings.js';
import { CommandError, loadSettings, parseMerchantId, type Terminal } from './terminal.js';

const MAX_PAYMENTS = 20_000;

type Size = Record<'seed' | 'payments', string>;

export function addSeedCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('seed')
    .description('give a merchant two weeks of plausible payments at the sandbox; no worker may run meanwhile')
    .requiredOption('--merchant <id>', 'an existing merchant by its id');
  withSize(command).action(async ({ merchant, ...size }: Size & { merchant: string }) => {
    const merchantId = parseMerchantId(merchant);
    if (merchantId === undefined) throw new CommandError(`--merchant: got '${merchant}', takes the id of a merchant`);
    const request = { merchantId, ...parseSize(size) };
    // loaded on demand: the other commands do not need the whole service
    const { seedDatabase, signInLines } = await import('./seed/seed-database.js');
    const { signIns } = await seedDatabase(seedingConfig(terminal), request, reportOn(terminal));
    terminal.out(`${['Sign in to the console as:', ...signInLines(signIns)].join('\n')}\n`);
  });
}

/** `--keep` of the command `demo`. */
export async function keepDemo(terminal: Terminal, size: Size): Promise<void> {
  const { keepDemo: keep } = await import('./demo/keep.js');
  const configOf = (dataDir: string): Config => seedingConfig(terminal, { DATA_DIR: dataDir });
  await keep({ environment: terminal.environment(), configOf, report: reportOn(terminal), ...parseSize(size) });
}

/** Adds the options of `Size`. */
export const withSize = (command: Command): Command =>
  command
    .option('--seed <number>', 'the same number makes the same orders', '1')
    .option('--payments <number>', 'about how many payments', '3000');

const reportOn =
  (terminal: Terminal) =>
  (line: string): void =>
    terminal.err(`${line}\n`);

function seedingConfig(terminal: Terminal, changed: Record<string, string> = {}): Config {
  const environment = () => ({ ...terminal.environment(), ...SEEDING_SETTINGS, ...changed });
  return loadSettings({ ...terminal, environment }, { secrets: ['ENCRYPTION_KEY'], mayCreate: 'DATA_DIR' in changed });
}

function parseSize({ seed, payments }: Size): Record<keyof Size, number> {
  return {
    seed: integerIn('--seed', seed, 0, 2 ** 31 - 1),
    payments: integerIn('--payments', payments, 1, MAX_PAYMENTS),
  };
}

function integerIn(option: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new CommandError(`${option}: got '${text}', takes ${least} to ${most}`);
}
