// How a run ends: the stories end, what they caused is delivered, every payment comes to its end, the processes stop.
import { setTimeout as delay } from 'node:timers/promises';
import type { DeliveryTables } from '../support/delivery-tables.js';
import type { HarnessDatabase } from '../support/harness-database.js';
import type { ProductProcess } from '../support/product-process.js';
import type { Load } from './load.js';
import type { NotificationRelay } from './notification-relay.js';
import type { Findings } from '../../test/support/ledger/findings.js';
import { isAtRest, readLedgers } from '../../test/support/ledger/ledger.js';
import type { ProviderDesk } from './provider-desk.js';

const STORIES_END_MS = 75_000;
const DRAIN_MS = 90_000;
const POLL_MS = 250;

interface Scene {
  postgres: Pick<HarnessDatabase, 'query'>;
  deliveries: DeliveryTables;
  relay?: NotificationRelay;
}

/** Resolves to how long it took from the end of the stories on, in ms; 90 s at most. */
export async function comeToRest(
  { postgres, deliveries, relay }: Scene,
  load: Load,
  desk: ProviderDesk,
  findings: Findings,
): Promise<number> {
  const open = await load.stop(STORIES_END_MS);
  if (open > 0)
    findings.add('API does not come round', `${open} clients still try ${STORIES_END_MS} ms after the last fault`);
  const started = Date.now();
  await relay?.drain();
  for (; Date.now() - started < DRAIN_MS; await delay(POLL_MS)) {
    await desk.settleRest();
    const [row] = await postgres.query<{ pending: boolean }>(
      `SELECT EXISTS (SELECT FROM ${deliveries.pending} d) AS pending`,
    );
    if (row!.pending) continue;
    const ledgers = await readLedgers((text, values) => postgres.query(text, values));
    if (isAtRest(ledgers)) return Date.now() - started;
  }
  return DRAIN_MS;
}

/** As at the end of a deployment: every process ends in good order. */
export async function stopProduct(processes: readonly ProductProcess[], findings: Findings): Promise<void> {
  await Promise.all(
    processes.map(async (process) => {
      const code = await process.stop();
      if (code !== 0) findings.add('SIGTERM does not end it in good order', `${process.slot}: exit code ${code}`);
      for (const failure of process.failures) findings.add('process ended by itself', failure);
    }),
  );
}
