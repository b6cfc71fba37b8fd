// The end of a run: stories end, pending deliveries are sent, every payment reaches its final status, and the processes
// stop.
import { setTimeout as delay } from 'node:timers/promises';
import type { DeliveryTables } from '../support/delivery-tables.js';
import type { HarnessDatabase } from '../support/harness-database.js';
import type { ProductProcess } from '../support/product-process.js';
import type { Load } from './load.js';
import type { NotificationRelay } from './notification-relay.js';
import type { Violations } from '../../test/support/ledger/violations.js';
import { wrongCells } from '../../test/support/ledger/approval-cells.js';
import { isDrained, readLedgers } from '../../test/support/ledger/ledger.js';
import type { ProviderSimulator } from './provider-simulator.js';

const STORIES_END_MS = 75_000;
const DRAIN_MS = 90_000;
const POLL_MS = 250;

interface Sources {
  postgres: Pick<HarnessDatabase, 'query'>;
  deliveries: DeliveryTables;
  relay?: NotificationRelay;
}

/** Resolves to the ms from the end of the stories, at most 90 s. */
export async function drain(
  { postgres, deliveries, relay }: Sources,
  load: Load,
  simulator: ProviderSimulator,
  violations: Violations,
): Promise<number> {
  const open = await load.stop(STORIES_END_MS);
  if (open > 0)
    violations.add(
      'API does not recover',
      `${open} clients are still waiting ${STORIES_END_MS} ms after the last fault`,
    );
  const started = Date.now();
  await relay?.drain();
  for (; Date.now() - started < DRAIN_MS; await delay(POLL_MS)) {
    await simulator.endOpenPayments();
    const [row] = await postgres.query<{ pending: boolean }>(
      `SELECT EXISTS (SELECT FROM ${deliveries.pending} d) AS pending`,
    );
    if (row!.pending || (await simulator.books.hasReports())) continue;
    const ledgers = await readLedgers((text, values) => postgres.query(text, values));
    if (isDrained(ledgers)) return Date.now() - started;
  }
  return DRAIN_MS;
}

/** Compares the approval cells with the attempts, once a worker has counted all changes; it waits for that. */
export async function checkCells(postgres: Sources['postgres'], violations: Violations): Promise<void> {
  const started = Date.now();
  let wrong: object[];
  do {
    const waiting = await postgres.query<object>('SELECT payment_id FROM attempt_changes LIMIT 1');
    wrong = [...waiting, ...(await wrongCells((text, values) => postgres.query(text, values)))];
    if (wrong.length > 0) await delay(POLL_MS);
  } while (wrong.length > 0 && Date.now() - started < DRAIN_MS);
  for (const cell of wrong) violations.add('approval cell differs from its attempts', JSON.stringify(cell));
}

/** Stops every process as a deployment does, and checks that it exits cleanly. */
export async function stopProduct(processes: readonly ProductProcess[], violations: Violations): Promise<void> {
  await Promise.all(
    processes.map(async (process) => {
      const code = await process.stop();
      if (code !== 0) violations.add('no clean exit on SIGTERM', `${process.slot}: exit code ${code}`);
      for (const failure of process.failures) violations.add('process ended unexpectedly', failure);
    }),
  );
}
