// Behind a pooler in transaction mode, the role carries the settings that direct connections get from
// `connection-watchdog.ts` and startup options. They then hold for every session that the pooler opens, at no cost per
// statement.
//
// Why not SET LOCAL: it makes each statement a transaction. Why not the pooler's configuration: we neither write nor
// see it.
import pg from 'pg';
import { connectionTo, withClient } from './connection.js';
import { assignment, COMMON_OPTIONS, SESSION_SETTINGS } from './session-settings.js';

/** The role, database and settings of a session. */
interface Session {
  role: string;
  database: string;
  /** `SESSION_SETTINGS` that the session lacks, by name. Shorter time-outs count as set. */
  missing: string[];
  /** Whether new sessions of the role in the database have them all. */
  isPrepared: boolean;
}

/** $1 role; empty: the role of the session. */
const SETTINGS = `
  SELECT role, current_database() AS database, (SELECT json_object_agg(name, setting) FROM pg_settings) AS session, (
      SELECT setconfig FROM pg_db_role_setting
      WHERE setrole = (SELECT oid FROM pg_roles WHERE rolname = role)
        AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS of_role
  FROM (SELECT coalesce(nullif($1, ''), current_user) AS role) AS wanted`;

interface SettingsRow {
  role: string;
  database: string;
  session: Record<string, string>;
  of_role: string[] | null;
}

async function settingsOf(client: pg.Client, user = ''): Promise<Session> {
  const { rows } = await client.query<SettingsRow>(SETTINGS, [user]);
  const { role, database, session, of_role } = rows[0]!;
  const wanted = Object.entries(SESSION_SETTINGS);
  const lacking = wanted.filter(([name, value]) => !isEnough(name, session[name], value));
  const isPrepared = wanted.every((setting) => of_role?.includes(setting.join('=')));
  return { role, database, missing: lacking.map(([name]) => name).sort(), isPrepared };
}

/** `pg_settings` shows times in ms. */
function isEnough(name: string, setting: string | undefined, wanted: string): boolean {
  // ISO dates do not depend on the order of day and month
  if (name === 'DateStyle') return setting?.startsWith('ISO') ?? false;
  return setting === wanted || (Number(setting) > 0 && Number(setting) <= Number(wanted));
}

/** SQL that gives a role the settings of the service's sessions. A role may run it for itself. */
export const roleStatements = (role: string, database: string): string[] =>
  Object.entries(SESSION_SETTINGS).map(
    (setting) =>
      `ALTER ROLE ${pg.escapeIdentifier(role)} IN DATABASE ${pg.escapeIdentifier(database)} ${assignment(setting)}`,
  );

export interface PreparedRole {
  name: string;
  /** `refused`: the migrating role lacks the right; an administrator has to run `statements`. */
  state: 'had' | 'set' | 'refused';
  statements: string[];
}

/** Gives the role of `url` its session settings, over the direct connection `directUrl`. */
export async function prepareRole(directUrl: string, url: string): Promise<PreparedRole> {
  const user = decodeURIComponent(new URL(connectionTo(url).connectionString).username);
  return withClient(directUrl, COMMON_OPTIONS, async (client) => {
    const { role: name, database, isPrepared } = await settingsOf(client, user);
    if (isPrepared) return { name, state: 'had', statements: [] };
    const statements = roleStatements(name, database);
    try {
      await client.query(statements.join('; '));
      return { name, state: 'set', statements: [] };
    } catch (error) {
      if (!REFUSED.includes((error as pg.DatabaseError).code ?? '')) throw error;
      return { name, state: 'refused', statements };
    }
  });
}

/** SQLSTATEs of a missing right (another role needs CREATEROLE) and of a role that only the pooler knows. */
const REFUSED = ['42501', '42704'];

/** The settings of a session behind the pooler at `url`. */
export async function sessionAt(url: string): Promise<Session> {
  return withClient(url, undefined, async (client) => {
    const session = await settingsOf(client);
    // otherwise the pooler gives this session, without the settings, to the next client
    if (session.missing.length > 0)
      await client.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    return session;
  });
}
