import type { Command } from 'commander';
import { EnvReader } from '../platform/config/env-reader.js';
import { type SettingName, SETTINGS } from '../platform/config/settings.js';
import { answer, JSON_OPTION, table, type Terminal } from './terminal.js';

interface ListedSetting {
  name: string;
  /** `null`: not set, without a default. `***`: a secret that is set. */
  value: string | null;
  source: 'env' | 'default';
  doc: string;
}

export function addConfigCommands(program: Command, terminal: Terminal): void {
  const config = program.command('config').description('settings of the service');
  config
    .command('list')
    .description('list every setting with its value, source and description; secrets are masked')
    .option(...JSON_OPTION)
    .action((_: unknown, command: Command) => {
      const read = new EnvReader(terminal.environment());
      const settings = (Object.keys(SETTINGS) as SettingName[]).map((name) => listed(read, name));
      const rows = settings.map(({ name, value, source, doc }) => [name, value ?? '-', source, doc]);
      answer(terminal, command, settings, table([['NAME', 'VALUE', 'SOURCE', 'DOC'], ...rows]));
    });
}

function listed(read: EnvReader, name: SettingName): ListedSetting {
  // throws for an invalid value, like a start of the service
  read.get(name);
  const { isSecret, doc } = SETTINGS[name];
  const text = read.text(name);
  if (text === undefined) return { name, value: read.defaultText(name) ?? null, source: 'default', doc };
  return { name, value: isSecret ? '***' : text, source: 'env', doc };
}
