import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FirstProcess, spawnFirstProcess } from '../support/app/first-process.js';
import { builtFile } from '../support/app/service.js';
import { runs } from '../support/fuzz/runs.js';
import { SETTINGS } from '../support/app/settings.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { temporaryFolder } from '../support/servers/servers.js';

const announcing = new URL('../support/app/announced-loading.mjs', import.meta.url).href;

let database: TestDatabase;
let folder: string;
const processes: FirstProcess[] = [];
beforeAll(async () => {
  [database, folder] = await Promise.all([createTestDatabase(), temporaryFolder()]);
});
afterAll(async () => {
  await Promise.all(processes.map((process) => process.kill()));
  await database.drop();
});

/** Resolves when the first line of the program has run and `module` is the next module to load. */
async function loading(args: string[], module: string, held: boolean): Promise<FirstProcess> {
  const env = { ...SETTINGS, DATABASE_URL: database.url, ANNOUNCED_MODULE: module, HELD_MODULE: String(held) };
  const started = spawnFirstProcess([`--import=${announcing}`, ...args], env, folder);
  processes.push(started);
  await eventually(() => started.log().includes(`${module}\n`));
  return started;
}

describe('a process that is loading its modules', () => {
  it.each([
    [[builtFile('main-api.js')], 'bootstrap/run.js'],
    [[builtFile('main-worker.js')], 'bootstrap/run.js'],
    [[builtFile('main-all.js')], 'bootstrap/run.js'],
    [[builtFile('cli/main.js'), 'migrate'], 'cli/command-line.js'],
  ])('ends at once on SIGTERM: %j', async (args, module) => {
    const started = await loading(args, module, true);
    await started.signal('SIGTERM');
    expect(await started.ended()).toBe(143);
  });

  it('ends at once on SIGINT', async () => {
    const started = await loading([builtFile('main-api.js')], 'bootstrap/run.js', true);
    await started.signal('SIGINT');
    expect(await started.ended()).toBe(130);
  });
});

// the pause varies so that the signal arrives in a different part of the start each time
const STARTS = Array.from({ length: runs(2, 1 / 2) }, (_, index) => ({
  entry: index % 2 === 0 ? 'worker' : 'api',
  pauseMs: ((index + 1) * 300) % 1_000,
}));

it.each(STARTS)('a start of the $entry ends by itself on SIGTERM after $pauseMs ms', async ({ entry, pauseMs }) => {
  const started = await loading([builtFile(`main-${entry}.js`)], 'bootstrap/run.js', false);
  await delay(pauseMs);
  await started.signal('SIGTERM');
  expect([0, 143]).toContain(await started.ended());
});
