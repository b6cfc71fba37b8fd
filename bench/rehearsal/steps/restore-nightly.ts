// Restores a backup that is older than the provider's ledger, as in docs/operate/backup-and-restore.md. Only the
// provider knows the charges made since then, until `reconcile` finds them. Here all of them are given back.
import { setTimeout as delay } from 'node:timers/promises';
import { openLostServer } from '../backups.js';
import { copyBooks, type Loss, lostCharges, readLoss } from '../loss.js';
import type { RehearsalHarness } from '../harness.js';
import type { Say } from '../step-key.js';

/** Payments between the backup and the loss, which are lost. */
const AFTER_BACKUP_MS = 5_000;
/** The charges of the whole run are compared. */
const SINCE_MS = 3_600_000;

interface Reconciled {
  unknown: { reference: string }[];
  disagreements: { payment_id: number; payment_status: string; status: string }[];
  given_back: { reference: string; outcome: string }[];
}

export async function restoreNightly(harness: RehearsalHarness, say: Say): Promise<void> {
  const { fleet, client, violations } = harness;
  const loss = await restoreBackup(harness, say);
  client.excuses = (path, status) => status === 404 && loss.payments.has(Number(/^\/payments\/(\d+)/.exec(path)?.[1]));
  await fleet.cli('migrate');
  await fleet.cli('after-restore');
  const { unknown, disagreements } = await reconcile(harness);
  await compare(harness, unknown, loss);
  const references = unknown.map(({ reference }) => reference);
  const { given_back: given } = await reconcile(harness, '--give-back', references.join(','));
  const settled = given.filter(({ outcome }) => outcome === 'confirmed' || outcome === 'pending').length;
  if (settled < references.length) violations.add('charge not given back', JSON.stringify(given));
  say(`reconcile found ${references.length} charges without a payment; ${settled} were given back`);
  await fleet.restart();
  say('workers and APIs were started');
  for (const { payment_id: id, payment_status: ours, status } of disagreements) {
    if (ours !== 'completed' || status !== 'refunded') {
      violations.add('disagreement that cannot be resolved', `payment ${id}: ${ours}, ${status}`);
    } else {
      await client.call('refund again', 'POST', `/payments/${id}/refund`, { json: {}, expected: [409] });
    }
  }
  say(`${disagreements.length} refunds that only the provider knew were requested again`);
}

async function restoreBackup(harness: RehearsalHarness, say: Say): Promise<Loss> {
  const { databases, backups, fleet } = harness;
  const from = Date.now();
  const backup = await backups.take(databases.url());
  say('backup taken, under traffic');
  await delay(AFTER_BACKUP_MS);
  const lost = await databases.lose();
  say('the writable server is lost, with its log');
  await fleet.end();
  const to = Date.now();
  await databases.replace(await backups.restore(backup, lost, 'backup'));
  const lostServer = await openLostServer(lost, harness.cleanup);
  const loss = await readLoss(lostServer, databases, { from, to });
  await copyBooks(lostServer, databases);
  await lostServer.shutDown('SIGINT');
  harness.losses.push(loss);
  say(
    `backup restored into an empty cluster; ${loss.payments.size} payments and ${loss.changes.size} changes are lost`,
  );
  return loss;
}

/** The command exits with 1 while something needs a person's decision. */
async function reconcile({ fleet }: RehearsalHarness, ...args: string[]): Promise<Reconciled> {
  const since = new Date(Date.now() - SINCE_MS).toISOString();
  const answer = await fleet.cli('reconcile', '--since', since, '--json', ...args).catch((error: unknown) => {
    const { stdout } = error as { stdout?: string };
    if (!stdout?.startsWith('{')) throw error;
    return stdout;
  });
  return JSON.parse(answer) as Reconciled;
}

/** Compares the charges that were found with those that were lost. */
async function compare(
  { databases, violations }: RehearsalHarness,
  unknown: Reconciled['unknown'],
  loss: Loss,
): Promise<void> {
  const found = new Set(unknown.map(({ reference }) => reference));
  const lost = new Set(await lostCharges(databases, loss));
  for (const reference of lost) if (!found.has(reference)) violations.add('lost charge not found', reference);
  for (const reference of found)
    if (!lost.has(reference)) violations.add('charge reported as lost by mistake', reference);
}
