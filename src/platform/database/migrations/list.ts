import type { MigrationInterface } from 'typeorm';

export type MigrationClass = new () => MigrationInterface;

/** Each is loaded when it is asked for: a process that serves needs their names alone. */
type Load = () => Promise<Record<string, MigrationClass>>;

/** In the order they run; append-only once landed. */
const MIGRATIONS: Record<string, Load> = {
  InitialSchema1764000500000: () => import('./1764000500000-initial-schema.js'),
  OpenAlarms1764010020000: () => import('./1764010020000-open-alarms.js'),
  FilteredEvents1764010040000: () => import('./1764010040000-filtered-events.js'),
  WebhookSecretsScope1764010050000: () => import('./1764010050000-webhook-secrets-scope.js'),
  ScheduledTasks1764010060000: () => import('./1764010060000-scheduled-tasks.js'),
};

export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

export async function loadMigrations(): Promise<MigrationClass[]> {
  const classes: MigrationClass[] = [];
  for (const [name, load] of Object.entries(MIGRATIONS)) classes.push((await load())[name]!);
  return classes;
}
