import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChaosPostgres } from '../../../bench/chaos/postgres.js';
import { type Backup, Backups } from '../../../bench/rehearsal/backups.js';
import { SingleDatabase } from '../../../bench/rehearsal/databases.js';
import type { Cleanup } from '../../../bench/support/cleanup.js';
import { temporaryFolder } from '../../support/servers/servers.js';

const steps: (() => Promise<unknown>)[] = [];
const cleanup = { add: (step: () => Promise<unknown>) => steps.push(step), report: () => undefined };

let database: SingleDatabase;
let backups: Backups;
let restored: ChaosPostgres;
let written = 0;

async function write(): Promise<void> {
  await database.query('INSERT INTO numbers VALUES ($1)', [written]);
  written += 1;
}

async function takeUnderTraffic(): Promise<Backup> {
  let isTaken = false;
  const backup = backups.take(database.url()).finally(() => (isTaken = true));
  for (; !isTaken; await delay(5)) await write();
  return backup;
}

beforeAll(async () => {
  const folder = await temporaryFolder();
  backups = await Backups.open(folder, cleanup as unknown as Cleanup);
  database = await SingleDatabase.start(folder, cleanup as unknown as Cleanup, backups);
  await database.query('CREATE TABLE numbers (n integer)');
  const backup = await takeUnderTraffic();
  await write();
  const lost = await database.lose();
  restored = await backups.restore(backup, lost, 'last commit');
  await database.replace(restored);
});
afterAll(async () => {
  for (const step of steps.reverse()) await step();
});

describe('a backup with its archived log', () => {
  it('restores every commit before the loss, into an empty cluster on the same port', async () => {
    const [row] = await database.query<{ count: number }>('SELECT count(*) AS count FROM numbers');
    expect(row!.count).toBe(written);
    expect(database.url()).toBe(database.settings['DATABASE_URL']);
  });

  it('accepts writes again', async () => {
    await write();
    expect(await database.query('SELECT n FROM numbers WHERE n = $1', [written - 1])).toHaveLength(1);
  });
});
