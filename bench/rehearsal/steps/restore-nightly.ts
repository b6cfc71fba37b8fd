// A backup that is older than the provider's ledger, as docs/operate/backup-and-restore.md has it: what was charged since is known to the
// provider alone until `reconcile` finds it. Here all of it is given back.
import { setTimeout as delay } from 'node:timers/promises';
import { openRemains } from '../backups.js';
import { carryBooks, type Loss, lostCharges, readLoss } from '../loss.js';
import type { RehearsalHarness } from '../harness.js';
import type { Say } from '../step-key.js';

/** Payments between the backup and the loss: they are gone. */
const AFTER_BACKUP_MS = 5_000;
/** Charges of the whole run are compared. */
const SINCE_MS = 3_600_000;

interface Reconciled {
  unknown: { reference: string }[];
  disagreements: { payment_id: number; payment_status: string; status: string }[];
  given_back: { reference: string; outcome: string }[];
}

export async function restoreNightly(harness: RehearsalHarness, say: Say): Promise<void> {
  const { fleet, client, findings } = harness;
  const loss = await restoreBackup(harness, say);
  client.excuses = (path, status) => status === 404 && loss.payments.has(Number(/^\/payments\/(\d+)/.exec(path)?.[1]));
  await fleet.cli('migrate');
  await fleet.cli('after-restore');
  const { unknown, disagreements } = await reconcile(harness);
  await compare(harness, unknown, loss);
  const references = unknown.map(({ reference }) => reference);
  const { given_back: given } = await reconcile(harness, '--give-back', references.join(','));
  const settled = given.filter(({ outcome }) => outcome === 'confirmed' || outcome === 'pending').length;
  if (settled < references.length) findings.add('charge not given back', JSON.stringify(given));
  say(`reconcile found ${references.length} charges without a payment; ${settled} were given back`);
  await fleet.startAgain();
  say('workers and APIs were started');
  for (const { payment_id: id, payment_status: ours, status } of disagreements) {
    if (ours !== 'completed' || status !== 'refunded') {
      findings.add('disagreement without a remedy', `payment ${id}: ${ours}, ${status}`);
    } else {
      await client.call('refund again', 'POST', `/payments/${id}/refund`, { json: {}, expected: [409] });
    }
  }
  say(`${disagreements.length} refunds that only the provider knew were asked for again`);
}

async function restoreBackup(harness: RehearsalHarness, say: Say): Promise<Loss> {
  const { databases, backups, fleet } = harness;
  const from = Date.now();
  const backup = await backups.take(databases.url());
  say('backup taken, under traffic');
  await delay(AFTER_BACKUP_MS);
  const lost = await databases.lose();
  say('the server that takes writes is gone for good, with its log');
  await fleet.end();
  const to = Date.now();
  await databases.replace(await backups.restore(backup, lost, 'backup'));
  const remains = await openRemains(lost, harness.cleanup);
  const loss = await readLoss(remains, databases, { from, to });
  await carryBooks(remains, databases);
  await remains.shutDown('SIGINT');
  harness.losses.push(loss);
  say(
    `backup restored into an empty cluster; ${loss.payments.size} payments and ${loss.changes.size} changes are lost`,
  );
  return loss;
}

/** It exits with 1 as long as something is left for a person. */
async function reconcile({ fleet }: RehearsalHarness, ...args: string[]): Promise<Reconciled> {
  const since = new Date(Date.now() - SINCE_MS).toISOString();
  const answer = await fleet.cli('reconcile', '--since', since, '--json', ...args).catch((error: unknown) => {
    const { stdout } = error as { stdout?: string };
    if (!stdout?.startsWith('{')) throw error;
    return stdout;
  });
  return JSON.parse(answer) as Reconciled;
}

/** What was found is what was lost: nothing less, nothing else. */
async function compare(
  { databases, findings }: RehearsalHarness,
  unknown: Reconciled['unknown'],
  loss: Loss,
): Promise<void> {
  const found = new Set(unknown.map(({ reference }) => reference));
  const lost = new Set(await lostCharges(databases, loss));
  for (const reference of lost) if (!found.has(reference)) findings.add('lost charge not found', reference);
  for (const reference of found) if (!lost.has(reference)) findings.add('charge called lost that is not', reference);
}
