import type { Command } from 'commander';
import { startEmbeddedDatabase } from '../bootstrap/embedded-database.js';
import { cannotUse, serverOf } from '../bootstrap/open-database.js';
import type { Config } from '../platform/config/config.js';
import { migrate, type ReportMigration } from '../schema/upgrade/migrate.js';
import { prepareRole, type PreparedRole } from '../platform/database/role-settings.js';
import { hasPendingQueueMigrations, migrateQueue } from '../platform/queue/queue-migration.js';
import { loadSettings, answer, JSON_OPTION, type Terminal } from './terminal.js';

interface Migrated {
  /** Names of the migrations that ran, in order. */
  migrations: string[];
  /** Whether the queue's schema was changed; `null`: the queue is in Redis. */
  queue: boolean | null;
  /** With a pooler: whether its role has the settings for its sessions. */
  role?: PreparedRole;
}

export function addMigrateCommand(program: Command, terminal: Terminal): void {
  program
    .command('migrate')
    .description('bring the database up to date; does nothing if it is up to date')
    .option(...JSON_OPTION)
    .action(async (options: { json?: boolean }, command: Command) => {
      const report = (line: string) => {
        if (!options.json) terminal.out(`${line}\n`);
      };
      const migrated = await migrateAll(loadSettings(terminal, { mayCreate: true }), report);
      answer(terminal, command, migrated, linesOf(migrated));
    });
}

async function migrateAll(config: Config, report: ReportMigration): Promise<Migrated> {
  if (config.databaseUrl !== undefined) {
    const { url, setting } = serverOf(config.databaseUrl, config.databaseDirectUrl);
    const migrated = await migrateDatabase(url, config.redis, report).catch(cannotUse(url, setting));
    return url === config.databaseUrl ? migrated : { ...migrated, role: await prepareRole(url, config.databaseUrl) };
  }
  const postgres = await startEmbeddedDatabase(config.dataDir);
  try {
    return await migrateDatabase(postgres.url, config.redis, report);
  } finally {
    await postgres.stop();
  }
}

async function migrateDatabase(
  databaseUrl: string,
  redis: Config['redis'],
  report: ReportMigration,
): Promise<Migrated> {
  const migrations = await migrate(databaseUrl, report);
  if (redis !== undefined) return { migrations, queue: null };
  const queue = await hasPendingQueueMigrations(databaseUrl);
  await migrateQueue(databaseUrl);
  return { migrations, queue };
}

const linesOf = ({ migrations, queue, role }: Migrated): string[] => [
  // each migration was reported when it ran
  ...(migrations.length > 0 ? [] : ['the database is up to date']),
  ...(queue === null ? [] : [queue ? "ran the queue's migrations" : "the queue's schema is up to date"]),
  ...(role ? [roleLine(role)] : []),
];

function roleLine({ name, state, statements }: PreparedRole): string {
  if (state === 'refused')
    return `the role ${name} lacks settings for its sessions; run as an administrator: ${statements.join('; ')}`;
  return state === 'set'
    ? `set time-outs and planner settings for the role ${name}`
    : `the role ${name} has its time-outs and planner settings`;
}
