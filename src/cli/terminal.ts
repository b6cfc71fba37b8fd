import { answer, CommandError, JSON_OPTION, type Terminal } from '@payment-orchestrator/client/cli/terminal';
import { hasCluster } from '@payment-orchestrator/embedded-postgres';
import { randomBytes } from 'node:crypto';
import { type Config, loadConfig } from '../platform/config/config.js';
import { MAX_OVERLAP_SECONDS } from '../shared/clock.js';
import { type Rights, ROLE_NAMES, roleOf } from '../access/roles.js';
import { type Scope, SCOPES, sortScopes } from '../access/scopes.js';

export { answer, CommandError, JSON_OPTION, type Terminal };

/** Rows with aligned columns; the first row is the heading. */
export function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Stand-ins for secrets that are not set: most commands neither sign tokens nor decrypt anything. */
const STAND_INS = {
  JWT_SECRET: randomBytes(32).toString('base64'),
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};

/** A secret that a command requires. */
type NeededSecret = keyof typeof STAND_INS;

/** Requirements of a command. */
export interface Needs {
  secrets?: NeededSecret[];
  /**
   * Whether the command creates the embedded database if there is none. Commands that look for existing data do not.
   */
  mayCreate?: boolean;
}

/**
 * The settings of the service, for commands that need only its database. Throws a `ConfigError` or a `CommandError`.
 */
export function loadSettings(terminal: Terminal, { secrets = [], mayCreate = false }: Needs = {}): Readonly<Config> {
  const standIns = Object.entries(STAND_INS).filter(([name]) => !secrets.some((one) => one === name));
  const given = Object.entries(terminal.environment()).filter(([, value]) => value !== undefined && value !== '');
  return loadConfig(Object.fromEntries([...standIns, ...given]), mayCreate ? undefined : requireDatabase);
}

function requireDatabase(dataDir: string): void {
  if (hasCluster(dataDir)) return;
  const takes = 'set DATA_DIR to the folder of the running service, or DATABASE_URL to its database';
  throw new CommandError(`there is no database in ${dataDir}, and DATABASE_URL is not set; ${takes}`);
}

const MAX_NAME_LENGTH = 200;

/** The name of a merchant or client, without surrounding spaces. */
export function parseName(option: string, text: string): string {
  const name = text.trim();
  if (name.length >= 1 && name.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name)) return name;
  throw new CommandError(`${option}: takes 1 to ${MAX_NAME_LENGTH} characters without control characters`);
}

/** A merchant's id; `undefined` if `text` is not all digits. */
export function parseMerchantId(text: string): number | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const id = Number(text);
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw new CommandError(`--merchant: got ${text}, takes the id of a merchant`);
}

/** A role, or scopes. */
export function parseRights({ role, scopes }: { role?: string; scopes?: string }): Rights {
  if ((role === undefined) === (scopes === undefined)) throw new CommandError('give one of --role and --scopes');
  if (role === undefined) return { role: null, scopes: parseScopes(scopes!) };
  const known = roleOf({ role });
  if (known !== null) return { role: known };
  throw new CommandError(`--role: got '${role}', takes one of ${ROLE_NAMES.join(', ')}`);
}

/** Scopes separated by commas or spaces, or `all`. */
function parseScopes(text: string): Scope[] {
  if (text.trim() === 'all') return [...SCOPES];
  const { known, unknown } = sortScopes(text.split(/[\s,]+/).filter((name) => name !== ''));
  if (unknown.length === 0 && known.length > 0) return known;
  const got = unknown.length > 0 ? `'${unknown[0]}'` : 'nothing';
  throw new CommandError(`--scopes: got ${got}, takes all, or any of ${SCOPES.join(',')}`);
}

/** How long an old secret stays valid, in seconds. */
export function parseOverlap(option: string, text: string): number {
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds <= MAX_OVERLAP_SECONDS) return seconds;
  throw new CommandError(`${option}: got '${text}', takes 0 to ${MAX_OVERLAP_SECONDS}`);
}
