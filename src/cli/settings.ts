import { type Config, loadConfig } from '../platform/config/config.js';
import type { Terminal } from './terminal.js';

/** Commands neither sign tokens nor open what is encrypted: they do without those secrets where none are given. */
const STAND_INS = { JWT_SECRET: '-'.repeat(32), ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') };

/** The settings of the service, for commands that only need its database. Throws a `ConfigError`. */
export function loadSettings(terminal: Terminal): Readonly<Config> {
  const given = Object.entries(terminal.environment()).filter(([, value]) => value !== undefined && value !== '');
  return loadConfig({ ...STAND_INS, ...Object.fromEntries(given) });
}
