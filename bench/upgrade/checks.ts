// What must be true after an upgrade, read off the database, the receivers and the API's answers.
import { createHash } from 'node:crypto';
import type { Findings } from '../../test/support/ledger/findings.js';
import { checkLedgers, readLedgers } from '../../test/support/ledger/ledger.js';
import { receiptNumber } from '../support/receipt-number.js';
import type { Receipt } from '../chaos/processes/receivers.js';
import type { Promised } from './traffic.js';
import type { UpgradeHarness } from './harness.js';

const READ_AT_ONCE = 5_000;
/** Of a delivery, before it is given up. */
const ATTEMPTS = 4;
const REPEATED = 50;

export async function check(harness: UpgradeHarness, findings: Findings): Promise<void> {
  checkAnswers(harness, findings);
  await checkPayments(harness, findings);
  await checkDeliveries(harness, findings);
  await checkStatistics(harness, findings);
  await checkKeys(harness, findings);
  await checkLedger(harness, findings);
}

function checkAnswers({ clients, traffic }: UpgradeHarness, findings: Findings): void {
  const answers = new Map<string, number>();
  for (const { tally, surprises } of clients) {
    for (const surprise of surprises) findings.add('answer that is not documented', surprise);
    for (const [answer, count] of tally) answers.set(answer, (answers.get(answer) ?? 0) + count);
  }
  for (const reference of traffic.abandoned) findings.add('payment never answered', reference);
  console.log(`answers: ${[...answers].map(([answer, count]) => `${answer} ×${count}`).join(', ')}`);
}

/** What was answered with 201 is there, once. */
async function checkPayments({ postgres, traffic }: UpgradeHarness, findings: Findings): Promise<void> {
  const rows = await postgres.query<{ reference: string; ids: number[] }>(
    `SELECT metadata->>'reference' AS reference, array_agg(id) AS ids FROM payments GROUP BY 1`,
  );
  const byReference = new Map(rows.map(({ reference, ids }) => [reference, ids]));
  for (const { reference, paymentId } of traffic.promised) {
    const ids = byReference.get(reference) ?? [];
    if (ids.length !== 1 || Number(ids[0]) !== paymentId)
      findings.add('payment lost or doubled', `${reference}: ${ids.join()}`);
  }
  console.log(`payments: ${traffic.promised.length} promised, ${rows.length} in the database`);
}

/** Every change of status has its delivery, and each arrived, genuine and whole. */
async function checkDeliveries({ postgres, receivers }: UpgradeHarness, findings: Findings): Promise<void> {
  const without = await postgres.query<{ payment_id: number; to_status: string }>(
    `SELECT c.payment_id, c.to_status FROM payment_status_changes c WHERE c.from_status <> c.to_status
      EXCEPT SELECT payment_id, payment_status FROM all_deliveries`,
  );
  for (const { payment_id, to_status } of without)
    findings.add('change without a delivery', `${payment_id} ${to_status}`);
  const deliveries = await postgres.query<{ id: number; webhook_id: string; status: string; body: string }>(
    `SELECT id, webhook_id(id, created_at) AS webhook_id, status, request_body AS body FROM all_deliveries`,
  );
  const receipts = new Map<number, Receipt[]>();
  for (const receipt of await readAll(receivers)) {
    if (!receipt.isGenuine) findings.add('signature is wrong', String(receipt.deliveryId));
    receipts.set(receipt.deliveryId, [...(receipts.get(receipt.deliveryId) ?? []), receipt]);
  }
  let duplicates = 0;
  let givenUp = 0;
  for (const { id, webhook_id, status, body } of deliveries) {
    const hash = createHash('sha256').update(body).digest('hex');
    const arrived = receipts.get(receiptNumber(webhook_id)) ?? [];
    const taken = arrived.filter(({ answered }) => answered === 200);
    // a receiver that refuses one request in fifteen refuses all four now and then
    if (status === 'failed' && taken.length === 0 && arrived.length >= ATTEMPTS) {
      givenUp += 1;
      continue;
    }
    if (status !== 'delivered') findings.add('delivery not delivered', `${id} is ${status}`);
    if (!taken.some(({ bodyHash }) => bodyHash === hash))
      findings.add('delivery did not arrive', `${id} (${webhook_id})`);
    duplicates += Math.max(0, taken.length - 1);
  }
  console.log(`deliveries: ${deliveries.length}, ${duplicates} of them taken twice, ${givenUp} refused four times`);
}

async function readAll(receivers: UpgradeHarness['receivers']): Promise<Receipt[]> {
  const all: Receipt[] = [];
  for (let rest = await receivers.call('count'); all.length < rest; rest = await receivers.call('count')) {
    all.push(...(await receivers.call('read', all.length, READ_AT_ONCE)));
  }
  return all;
}

/** What both versions counted of a shop, beside its rows. */
async function checkStatistics({ postgres, traffic, clients }: UpgradeHarness, findings: Findings): Promise<void> {
  for (const shopId of traffic.shopIds) {
    const [row] = await postgres.query<{ payments: number; with_webhooks: number }>(
      'SELECT count(*) AS payments, count(webhook_endpoint) AS with_webhooks FROM payments WHERE shop_id = $1',
      [shopId],
    );
    const { body } = await clients.at(-1)!.call('stats', 'GET', `/webhooks/shop/${shopId}/stats`);
    const { data } = body as { data: { total_payments: number; payments_with_webhooks: number } };
    const [counted, there] = [
      [data.total_payments, data.payments_with_webhooks],
      [row!.payments, row!.with_webhooks],
    ].map((pair) => pair.join(' of which with webhooks '));
    if (counted !== there) findings.add('statistics differ', `shop ${shopId}: counted ${counted}, there are ${there}`);
  }
}

/** A key of the old version is answered by the new one with the payment that it made. */
async function checkKeys({ traffic }: UpgradeHarness, findings: Findings): Promise<void> {
  const step = Math.max(1, Math.floor(traffic.promised.length / REPEATED));
  const some = traffic.promised.filter((_, index) => index % step === 0);
  const wrong = async (promised: Promised) => (await traffic.repeat(promised)) !== promised.paymentId;
  for (const promised of some) {
    if (await wrong(promised)) findings.add('idempotency key not honoured', promised.reference);
  }
  console.log(`idempotency keys: ${some.length} repeated`);
}

/** What the sandbox's books say of each payment, whichever version charged it. */
async function checkLedger({ postgres, traffic }: UpgradeHarness, findings: Findings): Promise<void> {
  const query = <Row extends object>(text: string, values?: unknown[]) =>
    postgres.query<Row & Record<string, unknown>>(text, values);
  const ids = traffic.promised.map(({ paymentId }) => paymentId);
  const { payments, disagreements } = checkLedgers(await readLedgers(query, ids), findings);
  console.log(`ledger: ${payments} payments with books, ${disagreements.length} disagreements`);
}
