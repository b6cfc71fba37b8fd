import { ApiClient } from '../app/api-client.js';
import { type InProcessService, startServiceInProcess } from '../app/in-process-service.js';
import { dataOf, Merchant, type PaymentAnswer, type ShopAnswer } from '../app/merchant.js';
import { BOOTSTRAP_CLIENT } from '../app/service.js';
import { eventually } from '../eventually.js';
import { createTestDatabase, type TestDatabase } from '../servers/database.js';
import { type Receiver, startReceiver } from '../servers/receiver.js';

/** Typical shop names: short, with letters of other alphabets, right-to-left, and much too long. */
const SHOP_NAMES = [
  'Berlin',
  'Zürich',
  'متجر دبي للإلكترونيات',
  'A shop with a name that is much longer than anyone expected when the table was designed',
];
const TOKENS = [undefined, 'tok_async_success', 'tok_decline', undefined, undefined];
const CURRENCIES = ['EUR', 'USD', 'CHF'] as const;
const COUNTRIES = ['DE', 'FR', 'CH', 'AE'] as const;

/** A service with data, for the console's pages. */
export interface ConsoleFixture {
  service: InProcessService;
  database: TestDatabase;
  api: ApiClient;
  shops: ShopAnswer[];
  flow: { id: number; name: string };
  payments: PaymentAnswer[];
  /** Answers at once. */
  healthy: Receiver;
  /** Answers 500: all its deliveries have failed. */
  failing: Receiver;
  stop(): Promise<void>;
}

export async function startConsoleFixture(paymentCount = 40): Promise<ConsoleFixture> {
  const database = await createTestDatabase();
  const healthy = await startReceiver();
  const failing = await startReceiver({ status: 500, body: 'the database of the receiver is down' });
  const env = { WEBHOOK_RETRY_DELAYS_MS: '10,10,10' };
  const service = await startServiceInProcess({ entry: 'all', databaseUrl: database.url, env });
  const api = await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret);
  const merchant = new Merchant(api);
  const shops: ShopAnswer[] = [];
  for (const name of SHOP_NAMES) shops.push(await merchant.createShop(name));
  const shopIds = shops.map(({ id }) => id);
  const flow = await merchant.createFlow('checkout', shopIds);
  const weights = shopIds.slice(0, 3).map((id, index) => ({ shop_id: id, weight: 10 * (index + 1) }));
  dataOf(await api.post('/flows', { name: 'weighted', strategy: 'weighted', shops: weights }));
  const payments: PaymentAnswer[] = [];
  for (let index = 0; index < paymentCount; index++) {
    const endpoint = (index % 5 === 3 ? failing : healthy).url;
    payments.push(await merchant.pay(index % 3 === 0 ? 'weighted' : 'checkout', aPayment(index, endpoint)));
  }
  await eventually(async () => (await deliveriesLeft(database)) === 0);
  await changeSome(merchant, payments);
  await pastHours(database, shops);
  const stop = async (): Promise<void> => {
    await service.stop();
    await Promise.all([healthy.stop(), failing.stop()]);
    await database.drop();
  };
  return { service, database, api, shops, flow, payments, healthy, failing, stop };
}

/** Refunds a part of the first payment, and reports disputes of it: one with evidence due, and one that was won. */
async function changeSome(merchant: Merchant, [payment]: PaymentAnswer[]): Promise<void> {
  dataOf(await merchant.api.post(`/payments/${payment!.id}/refunds`, { amount: 1, reason: 'damaged in transit' }));
  const due = new Date(Date.now() + 36 * 3_600_000).toISOString();
  for (const [id, status] of [
    ['dp_won', 'won'],
    ['dp_due', 'open'],
  ]) {
    const reported = { kind: 'chargeback', amount: 5, currency: payment!.currency, reason_code: 'fraudulent' };
    const dispute = { ...reported, id, status, evidence_due_by: due };
    const notification = { id: `evt_${id}`, status: 'disputed', dispute };
    dataOf(await merchant.notify(payment!, notification));
  }
}

export function aPayment(index: number, endpoint: string): Record<string, unknown> {
  const token = TOKENS[index % TOKENS.length];
  return {
    amount: (1_999 + ((index * 7_919) % 40_000)) / 100,
    currency: CURRENCIES[index % CURRENCIES.length],
    country: COUNTRIES[index % COUNTRIES.length],
    ...(token !== undefined && { payment_method: { token } }),
    payment_session_id: `session-${index}`,
    webhook_endpoint: `${endpoint}/webhooks`,
    customer: { email: `person${index % 9}@example.com`, first_name: 'Ada', last_name: 'Lovelace' },
    metadata: { order: `A-${index}`, note: index % 2 === 0 ? 'gift' : 'شكراً جزيلاً لكم على الطلب' },
  };
}

/** Excludes failed deliveries, whose four attempts have ended. */
async function deliveriesLeft(database: TestDatabase): Promise<number> {
  const { rows } = await database.pool.query<{ left: number }>('SELECT count(*)::int AS left FROM pending_deliveries');
  return rows[0]!.left;
}

/**
 * Inserts counts of a day and an hour, as if the service had run for longer: high by day, low by night, with one bad
 * hour. A fixture of a busy machine has counts of some minutes already.
 */
async function pastHours({ pool }: TestDatabase, shops: ShopAnswer[]): Promise<void> {
  await pool.query(
    `INSERT INTO approval_cells (merchant_id, by_bin, shop_id, hour, currency, country, scheme, funding, issuer_country, bin,
        outcome, decline_code, attempts, answers, answered_ms)
      SELECT s.merchant_id, false, s.id, date_trunc('hour', now()) - ago * interval '1 hour', 'EUR', country, scheme, '', '', '',
        outcome, CASE outcome WHEN 'declined' THEN 'do_not_honor' ELSE '' END, attempts, attempts, attempts * 180
      FROM shops s, generate_series(1, 46) AS ago, unnest('{DE,FR}'::text[]) AS country,
        unnest('{visa,mastercard,amex,maestro}'::text[]) WITH ORDINALITY AS c (scheme, place),
        unnest('{approved,declined}'::text[]) AS outcome,
        LATERAL (SELECT CASE WHEN outcome = 'approved' THEN 40 - 5 * place ELSE
          1 + place * (s.id % 3) / 2 + CASE WHEN scheme = 'maestro' AND ago < 24 THEN 4 ELSE 0 END END AS attempts) n
      WHERE s.id = ANY ($1)`,
    [shops.map(({ id }) => id)],
  );
  await pool.query(
    `INSERT INTO delivery_minutes (merchant_id, minute, delivered, retried, failed)
      SELECT s.merchant_id, date_trunc('minute', now()) - ago * interval '1 minute', (90 + 40 * sin(ago / 6.0))::int,
        CASE WHEN ago BETWEEN 20 AND 28 THEN 30 ELSE ago % 4 END, CASE WHEN ago BETWEEN 22 AND 26 THEN 6 ELSE 0 END
      FROM (SELECT merchant_id FROM shops WHERE id = $1) s, generate_series(2, 59) AS ago
      ON CONFLICT DO NOTHING`,
    [shops[0]!.id],
  );
}
