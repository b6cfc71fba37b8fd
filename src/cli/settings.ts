import { randomBytes } from 'node:crypto';
import { type Config, loadConfig } from '../platform/config/config.js';
import type { Terminal } from './terminal.js';

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
