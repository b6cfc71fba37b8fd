import { NO_EVENT, renderSampleBody } from '../outbox/sample-payload.js';
import { WEBHOOK_EVENT } from '../outbox/webhook-body.js';
import { describedEvent, type EventType } from './event-catalogue.js';

/** Ids start at 1. */
const NO_ID = 0;

/** The shop of a sample; its name and provider are in the sample of a change of status. */
interface SampleShop {
  id: number;
  name: string;
  provider: string;
}

/**
 * Returns a body of this type for testing a receiver, as JSON text: with `"test": true`, and with ids of the event and
 * payment that no event or payment has. `data` is the catalogue's example.
 */
export function renderSampleEvent(type: EventType, shop: SampleShop, now: Date): string {
  if (type === WEBHOOK_EVENT) return renderSampleBody(shop, now);
  const { shopId, paymentId, data } = describedEvent(type).example;
  return JSON.stringify({
    event: type,
    test: true,
    timestamp: now.toISOString(),
    id: NO_EVENT,
    shop_id: shopId && shop.id,
    payment_id: paymentId && NO_ID,
    data,
  });
}

const EXAMPLE_AT = new Date('2026-11-21T01:02:03.456Z');

/** The example of the catalogue: the body of a requested sample. */
export const exampleOf = (type: EventType): Record<string, unknown> =>
  JSON.parse(renderSampleEvent(type, { id: 3, name: 'Berlin', provider: 'sandbox' }, EXAMPLE_AT)) as Record<
    string,
    unknown
  >;
