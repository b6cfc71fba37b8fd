import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { insertClient } from '../../support/app/insert-client.js';
import { ApiClient } from '../../support/app/api-client.js';
import { Merchant } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { temporaryFolder } from '../../support/servers/servers.js';
import { type ApiEvent, following } from './events-harness.js';

const example = fileURLToPath(new URL('../../../examples/events-to-queue/', import.meta.url));

let api: TestApi;
let merchant: Merchant;
let credentials: { id: string; secret: string };
let folder: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  credentials = await insertClient(api.database);
  merchant = new Merchant(await ApiClient.login(api.url, credentials.id, credentials.secret));
  await merchant.createFlow('checkout', [(await merchant.createShop('Berlin')).id]);
  folder = await temporaryFolder();
});
afterEach(async () => {
  for (const consumer of running.splice(0)) await killed(consumer);
});

function start(queue = './file-queue.mjs'): ChildProcess {
  const env = {
    ...{ PATH: process.env['PATH'], BASE: api.url, CLIENT_ID: credentials.id, CLIENT_SECRET: credentials.secret },
    ...{ QUEUE: queue, QUEUE_FILE: join(folder, 'queue'), CURSOR_FILE: join(folder, 'cursor') },
  };
  const consumer = spawn(process.execPath, [join(example, 'consume.mjs')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.push(consumer);
  return consumer;
}

async function killed(consumer: ChildProcess): Promise<void> {
  if (consumer.exitCode !== null || consumer.signalCode !== null) return;
  const exit = once(consumer, 'exit');
  consumer.kill('SIGKILL');
  await exit;
}

/** The lines of the queue, without a part of one. */
const queued = async (): Promise<string[]> =>
  (await readFile(join(folder, 'queue'), 'utf8').catch(() => '')).split('\n').slice(0, -1);

const idOf = (line: string): string => (JSON.parse(line) as ApiEvent).id;
const atLeast = (count: number) => eventually(async () => (await queued()).length >= count);

/** All events, when all are visible: two of each payment, and the activation of the flow. */
const allEvents = (payments: number): Promise<ApiEvent[]> =>
  eventually(async () => {
    const { events } = await following(merchant.api);
    return events.length === 2 * payments + 1 && events;
  });

describe('examples/events-to-queue', () => {
  it('repeats only events with the same id, and loses none, if it is killed in the middle of a page', async () => {
    for (let payment = 0; payment < 5; payment++) await merchant.pay('checkout');
    const events = await allEvents(5);
    const stalling = join(folder, 'stalling.mjs');
    const real = pathToFileURL(join(example, 'file-queue.mjs')).href;
    await writeFile(
      stalling,
      `import * as real from '${real}';
       export async function openQueue() {
         const queue = await real.openQueue();
         let published = 0;
         return { publish: (event) => (published++ < 4 ? queue.publish(event) : new Promise(() => {})) };
       }`,
    );
    const consumer = start(pathToFileURL(stalling).href);
    await atLeast(4);
    await killed(consumer);
    expect(await queued()).toHaveLength(4);

    start();
    await atLeast(4 + events.length);
    const lines = await queued();
    expect(lines.map((line) => JSON.parse(line) as ApiEvent)).toEqual([...events.slice(0, 4), ...events]);
  });

  it('continues after its cursor at each start, also when it is killed at any time', async () => {
    const pays = 20;
    for (let payment = 0; payment < pays; payment++) {
      await merchant.pay('checkout');
      if (payment % 5 !== 4) continue;
      const consumer = start();
      await atLeast(payment);
      await killed(consumer);
    }
    const events = await allEvents(pays);
    start();
    await eventually(async () => new Set((await queued()).map(idOf)).size === events.length);
    const lines = await queued();
    const firsts = lines.filter((line, index) => lines.findIndex((other) => idOf(other) === idOf(line)) === index);
    expect(firsts.map(idOf)).toEqual(events.map(({ id }) => id));
    // a repeat is the same text
    expect(new Set(lines).size).toBe(events.length);
    const known = new Set(lines.map(idOf));
    await killed(running.at(-1)!);
    const later = await merchant.pay('checkout');
    start();
    // the last page may be repeated
    const added = await eventually(async () => {
      const others = (await queued()).filter((line) => !known.has(idOf(line)));
      return others.length === 2 && others;
    });
    expect(added.map((line) => (JSON.parse(line) as ApiEvent).payment_id)).toEqual([later.id, later.id]);
  });

  it('drops a part of a line that a crash left in the file', async () => {
    await allEvents(0);
    await writeFile(join(folder, 'queue'), '{"id":"evt_1"}\n{"id":"evt_');
    start();
    await atLeast(2);
    expect((await queued()).map((line) => (JSON.parse(line) as Partial<ApiEvent>).type)).toEqual([
      undefined,
      'flow.activated',
    ]);
  });
});
