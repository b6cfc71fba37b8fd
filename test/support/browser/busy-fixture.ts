import { randomUUID } from 'node:crypto';
import { APPEND_DELIVERIES, appendValues } from '../app/append-deliveries.js';
import { endDeliveries } from '../app/end-deliveries.js';
import { Merchant, type PaymentAnswer, type ShopAnswer } from '../app/merchant.js';
import { aPayment, type ConsoleFixture, startConsoleFixture } from './console-fixture.js';

export const FLOWS = 60;
const PAYMENTS = 500;
export const FAILED_WEBHOOKS = 586;
/** Concurrent requests. */
const CONCURRENCY = 8;

const MORE_SHOPS = [
  'Sklep internetowy Zażółć gęślą jaźń Spółka z ograniczoną odpowiedzialnością w Krakowie, oddział Podgórze',
  'חנות מקוונת לאלקטרוניקה ולציוד היקפי בתל אביב',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  'متجر القاهرة للأجهزة المنزلية والإلكترونيات والهواتف المحمولة وقطع الغيار الأصلية',
  '東京オンラインストア',
  ...Array.from({ length: 7 }, (_, index) => `Shop of the region ${index + 1}`),
];
const MORE_FLOWS = [
  'checkout-of-the-large-orders-of-returning-customers-in-the-countries-of-the-euro-area-of-2026',
  'الدفع-عند-الطلب-للعملاء-الجدد-في-دولة-الإمارات-العربية-المتحدة',
  'תשלום-רגיל',
];

/** A merchant with more objects than fit on a page, including shops and flows with long and right-to-left names. */
export async function startBusyFixture(): Promise<ConsoleFixture> {
  const fixture = await startConsoleFixture();
  const merchant = new Merchant(fixture.api);
  for (const name of MORE_SHOPS) fixture.shops.push(await merchant.createShop(name));
  const flows = await addFlows(merchant, fixture.shops);
  await inParallel(PAYMENTS - fixture.payments.length, async (index) => {
    const flow = flows[index % 7]!;
    const payment = { ...aPayment(index, fixture.healthy.url), payment_session_id: randomUUID() };
    fixture.payments.push(await merchant.pay(flow, payment));
  });
  await failWebhooks(fixture);
  return fixture;
}

async function addFlows(merchant: Merchant, shops: ShopAnswer[]): Promise<string[]> {
  const names = Array.from({ length: FLOWS - 2 }, (_, index) => MORE_FLOWS[index] ?? `checkout-of-region-${index}`);
  for (const [index, name] of names.entries()) {
    const some = shops.filter((_, place) => (place + index) % 4 === 0).map(({ id }) => id);
    await merchant.createFlow(name, some);
  }
  return names;
}

async function inParallel(count: number, make: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await make(next++);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** Inserts failed deliveries, whose four attempts the failing receiver has answered with 500. */
async function failWebhooks({ database: { pool, database }, failing, payments }: ConsoleFixture): Promise<void> {
  const { rows } = await pool.query<Lane>(
    `SELECT l.id AS "laneId", l.shop_id AS "shopId", s.merchant_id AS "merchantId" FROM webhook_lanes l JOIN shops s ON s.id = l.shop_id
      WHERE l.origin = $1`,
    [failing.url],
  );
  const failed = await pool.query(`SELECT FROM webhook_deliveries WHERE status = 'failed'`);
  const missing = FAILED_WEBHOOKS - failed.rowCount!;
  const deliveries = Array.from({ length: missing }, (_, index) => {
    const lane = rows[index % rows.length]!;
    return aDelivery(lane, payments[index % payments.length]!, `${failing.url}/webhooks`);
  });
  await database.query(APPEND_DELIVERIES, appendValues(deliveries));
  await endDeliveries(pool, 'webhook_endpoint = $1', [`${failing.url}/webhooks`], {
    status: 'failed',
    lastError: null,
  });
  await pool.query(
    `INSERT INTO delivery_minutes AS m (merchant_id, minute, delivered, retried, failed)
      VALUES ($1, date_trunc('minute', now()) - interval '3 minutes', 0, $2, $3)
      ON CONFLICT (merchant_id, minute) DO UPDATE SET retried = m.retried + $2, failed = m.failed + $3`,
    [rows[0]!.merchantId, 3 * missing, missing],
  );
}

interface Lane {
  laneId: number;
  shopId: number;
  merchantId: number;
}

const aDelivery = (lane: Lane, payment: PaymentAnswer, webhookEndpoint: string) => ({
  ...lane,
  paymentId: payment.id,
  paymentStatus: payment.status,
  webhookEndpoint,
  requestBody: JSON.stringify({ event: 'payment.status_changed', payment_id: payment.id }),
});
