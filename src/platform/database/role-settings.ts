// What `guarded-pool.ts` and startup parameters do for connections to the server, its role does for those of a pooler in
// transaction mode: bounds and plans hold for every session that the pooler opens, at no cost to any statement.
import pg from 'pg';
import { connectionTo, withClient } from './connection.js';
import { assignment, SESSION_SETTINGS } from './session-settings.js';

/** Whom sessions belong to, and what they have. */
interface Session {
  role: string;
  database: string;
  /** Missing in the session. */
  missing: string[];
  /** Missing among what the role gives to new sessions of the database. */
  missingOfRole: string[];
}

/**
 * Timeouts may be stricter than ours. Of several settings of one name the more special wins: of the role in the database,
 * of the role, of the database.
 */
const SESSION = `
  SELECT current_user AS role, current_database() AS database, s.name, s.setting, (
      SELECT split_part(option, '=', 2) FROM pg_db_role_setting, unnest(setconfig) AS option
      WHERE split_part(option, '=', 1) = s.name AND setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = current_user))
        AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
      ORDER BY setrole = 0, setdatabase = 0 LIMIT 1
    ) AS of_role
  FROM pg_settings AS s WHERE s.name = ANY($1)`;

interface SettingRow {
  role: string;
  database: string;
  name: string;
  setting: string;
  of_role: string | null;
}

/** The statements that give a role what the service's sessions need. A role may run them for itself. */
export const roleStatements = (role: string, database: string): string[] =>
  Object.entries(SESSION_SETTINGS).map(
    (setting) =>
      `ALTER ROLE ${pg.escapeIdentifier(role)} IN DATABASE ${pg.escapeIdentifier(database)} ${assignment(setting)}`,
  );

export interface PreparedRole {
  name: string;
  /** `refused`: who migrates may not; `statements` are what is left to do. */
  state: 'had' | 'set' | 'refused';
  statements: string[];
}

/** $1 the role, empty: whose session it is. */
const SETTINGS_OF_ROLE = `
  SELECT coalesce(nullif($1, ''), current_user) AS role, current_database() AS database, (
      SELECT setconfig FROM pg_db_role_setting
      WHERE setrole = (SELECT oid FROM pg_roles WHERE rolname = coalesce(nullif($1, ''), current_user))
        AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS settings`;

/** Gives the role of `url` what its sessions need, by way of the server's own `directUrl`. */
export async function prepareRole(directUrl: string, url: string): Promise<PreparedRole> {
  const user = decodeURIComponent(new URL(connectionTo(url).connectionString).username);
  return withClient(directUrl, undefined, async (client) => {
    const { rows } = await client.query<{ role: string; database: string; settings: string[] | null }>(
      SETTINGS_OF_ROLE,
      [user],
    );
    const { role, database, settings } = rows[0]!;
    const wanted = Object.entries(SESSION_SETTINGS).map(([name, value]) => `${name}=${value}`);
    if (wanted.every((setting) => settings?.includes(setting))) return { name: role, state: 'had', statements: [] };
    const statements = roleStatements(role, database);
    try {
      await client.query(statements.join('; '));
      return { name: role, state: 'set', statements: [] };
    } catch (error) {
      if (!REFUSED.includes((error as pg.DatabaseError).code ?? '')) throw error;
      return { name: role, state: 'refused', statements };
    }
  });
}

/** Another's role, of which PostgreSQL wants CREATEROLE; or one that only the pooler knows. */
const REFUSED = ['42501', '42704'];

/** What the session has that a pooler gives at `url`. */
export async function sessionAt(url: string): Promise<Session> {
  return withClient(url, undefined, async (client) => {
    const { rows } = await client.query<SettingRow>(SESSION, [Object.keys(SESSION_SETTINGS)]);
    const { role, database } = rows[0]!;
    const missing = rows.filter(({ name, setting }) => !isEnough(name, setting)).map(({ name }) => name);
    const missingOfRole = rows.filter(({ name, of_role }) => !isEnough(name, of_role)).map(({ name }) => name);
    // or the pooler keeps it, without them, for whoever comes next
    if (missing.length > 0) await client.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    return { role, database, missing, missingOfRole };
  });
}

const UNITS_MS: Readonly<Record<string, number>> = { '': 1, ms: 1, s: 1_000, min: 60_000 };

function isEnough(name: string, setting: string | null): boolean {
  const wanted = SESSION_SETTINGS[name]!;
  // in which order day and month are read matters to nobody who writes ISO
  if (name === 'DateStyle') return setting?.startsWith('ISO') ?? false;
  const [, number, unit] = /^(\d+)(ms|s|min|)$/.exec(setting ?? '') ?? [];
  if (number === undefined) return setting === wanted;
  const ms = Number(number) * UNITS_MS[unit!]!;
  return ms > 0 && ms <= Number(wanted);
}
