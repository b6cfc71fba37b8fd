import { expect, it } from '@jest/globals';
import { migrate } from '../../../src/schema/upgrade/migrate.js';
import { eventIdOf, insertEvents } from '../../../src/webhooks/fan-out/fan-out-sql.js';
import { restoreOldDatabase } from '../../support/upgrade/old-database.js';

const SELECTED = `SELECT current_event_position(), merchant_id, 1::bigint, NULL::bigint, 'shop.up',
  json_build_object('shop_name', 'Zoë "quoted"') FROM webhook_endpoints`;

it('an event of a process of the version before is delivered like one of this version', async () => {
  const database = await restoreOldDatabase('http://127.0.0.1:1');
  const rows = async <Row extends object>(text: string) => (await database.pool.query<Row>(text)).rows;
  try {
    await migrate(database.url);
    await rows(
      `INSERT INTO webhook_endpoints (id, merchant_id, lane_id, url, event_types, sealed_secret)
        VALUES (77, 1, 77, 'http://127.0.0.1:1/all', '{shop.up}', '')`,
    );
    await rows(`WITH ${insertEvents(['shop_id', 'payment_id'], SELECTED)} SELECT FROM new_events`);
    await rows(`INSERT INTO webhook_events (event_position, merchant_id, shop_id, payment_id, type, data) ${SELECTED}`);
    const bodies = await rows<{ body: string }>(
      `SELECT regexp_replace(replace(d.request_body, ${eventIdOf('e.id')}, 'id'), '"timestamp":"[^"]+"', '') AS body
        FROM webhook_events e JOIN all_deliveries d ON strpos(d.request_body, ${eventIdOf('e.id')}) > 0
        WHERE e.type = 'shop.up' ORDER BY e.id`,
    );
    expect(bodies).toEqual([{ body: expect.stringMatching(/Zoë.*"id"|"id".*Zoë/) }, bodies[0]]);
  } finally {
    await database.drop();
  }
});
