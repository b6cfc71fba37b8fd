import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { EVENT_TYPES } from '../../../src/webhooks/event-types/event-catalogue.js';
import { eventIdOf, insertEvents } from '../../../src/webhooks/fan-out/fan-out-sql.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type ShopAnswer } from '../../support/app/merchant.js';

let api: TestApi;
let merchant: Merchant;
let shop: ShopAnswer;
let endpointId: number;

/** A standing endpoint for all events. No worker sends them. */
beforeAll(async () => {
  api = await sharedApi();
  merchant = new Merchant(await api.login());
  shop = await merchant.createShop('Berlin');
  const endpoint = { url: 'http://127.0.0.1:4001/hooks', event_types: EVENT_TYPES };
  endpointId = dataOf<{ id: number }>(await merchant.api.post('/webhooks/endpoints', endpoint)).id;
});
afterAll(() => api.stop());

interface Pushed {
  type: string;
  deliveries: number;
  /** The body without what differs between two events of the same data. */
  body: string | null;
}

/** Each event of the merchant that is not a change of status, with its deliveries to the endpoint. */
const pushed = async (): Promise<Pushed[]> =>
  api.get(Database).query<Pushed>({
    name: 'test.pushed',
    text: `SELECT e.type, count(d.id)::int AS deliveries,
        min(regexp_replace(replace(d.request_body, ${eventIdOf('e.id')}, ''), '"timestamp":"[^"]+"', '')) AS body
      FROM webhook_events e JOIN webhook_endpoints r ON r.merchant_id = e.merchant_id AND r.id = ${endpointId}
      LEFT JOIN all_deliveries d ON d.endpoint_id = r.id AND d.event = e.type
        AND d.request_body::json ->> 'id' = ${eventIdOf('e.id')}
      GROUP BY e.id ORDER BY e.id`,
  });

const EVENT = `current_event_position(), r.merchant_id, $1::bigint, NULL::bigint, 'shop.up',
  json_build_object('shop_name', 'Zoë "quoted"', 'provider', 'sandbox', 'began_at', NULL, 'ended_at', NULL)`;
const report = (text: string): Promise<unknown> =>
  api.get(Database).query({ name: `test.${text.length}`, text }, [shop.id, endpointId]);
const SELECTED = `SELECT ${EVENT} FROM webhook_endpoints r WHERE r.id = $2`;

describe('Fan-out of events', () => {
  it('Fan-out writes one delivery for each endpoint that chose it, also where a statement writes several', async () => {
    const { id } = await merchant.createFlow('checkout', [shop.id]);
    const flow = `/flows/${id}`;
    // renamed and activated by one statement
    dataOf(await merchant.api.patch(flow, { name: 'renamed', strategy: 'weighted' }));
    const payment = await merchant.pay('renamed');
    dataOf(await merchant.api.post(`/payments/${payment.id}/refunds`, { amount: 1 }));
    const found = await pushed();
    expect(found.map(({ type, deliveries }) => `${deliveries} ${type}`)).toEqual([
      '1 flow.activated',
      '1 flow.renamed',
      '1 flow.activated',
      '1 refund.created',
      '1 payment.amounts_changed',
      '1 refund.updated',
    ]);
  });

  it('Fan-out writes no delivery if its statement fails', async () => {
    const before = await pushed();
    const failing = `WITH ${insertEvents(['shop_id', 'payment_id'], SELECTED)} SELECT 1 / (count(*) - 1) FROM new_events`;
    await expect(report(failing)).rejects.toThrow('division by zero');
    expect(await pushed()).toEqual(before);
  });
});
