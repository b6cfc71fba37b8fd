import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CUSTOMER_FIELDS, WEBHOOK_EVENT } from '../../../src/webhooks/outbox/webhook-body.js';
import { describedEvent, EVENT_TYPES } from '../../../src/webhooks/event-types/event-catalogue.js';
import { WEBHOOKS } from '../../../src/webhooks/event-types/event-openapi.js';
import { exampleOf, renderSampleEvent } from '../../../src/webhooks/event-types/sample-event.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { bodyErrors, dataErrors, dataProperties } from '../../support/app/event-schemas.js';

describe('the catalogue of events', () => {
  it.each(EVENT_TYPES)('the schema of %s accepts its example, which names it', (type) => {
    expect(bodyErrors(type, exampleOf(type))).toEqual([]);
    expect(exampleOf(type)).toMatchObject({ event: type, test: true });
  });

  it.each(EVENT_TYPES)('the schema of %s refuses a missing and an additional field', (type) => {
    const { timestamp: _, ...rest } = exampleOf(type);
    expect(bodyErrors(type, rest)).not.toEqual([]);
    expect(bodyErrors(type, { ...exampleOf(type), unknown: 1 })).not.toEqual([]);
    const { example, dataSchema } = describedEvent(type);
    if (dataSchema !== null) expect(dataErrors({ type, data: { ...example.data, unknown: 1 } })).not.toEqual([]);
  });

  it('describes every type once in the API document, with its headers', () => {
    expect(Object.keys(WEBHOOKS)).toEqual(EVENT_TYPES);
    for (const type of EVENT_TYPES) {
      const { parameters } = WEBHOOKS[type]!.post as { parameters: { name: string; required: boolean }[] };
      const required = parameters.filter((header) => header.required).map(({ name }) => name);
      const selector = type === WEBHOOK_EVENT ? 'webhook-shop-id' : 'webhook-endpoint-id';
      expect(required).toEqual(['Signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature', selector]);
    }
  });

  it('names no field of a customer, and no free text of a merchant', () => {
    const personal = [...CUSTOMER_FIELDS, 'metadata', 'provider_metadata', 'customer'];
    expect(dataProperties().filter((name) => personal.includes(name))).toEqual([]);
    expect(describedEvent('refund.created').example.data).not.toHaveProperty('reason');
  });

  it('makes samples about the given shop, with ids that no event and no payment has', () => {
    const shop = { id: 8, name: 'Rome', provider: 'sandbox' };
    const at = new Date('2026-12-24T18:00:00.000Z');
    expect(JSON.parse(renderSampleEvent('refund.created', shop, at))).toMatchObject({
      ...{ event: 'refund.created', test: true, timestamp: at.toISOString(), id: `evt_${'0'.repeat(32)}` },
      ...{ shop_id: 8, payment_id: 0 },
    });
    expect(JSON.parse(renderSampleEvent('flow.activated', shop, at))).toMatchObject({
      shop_id: null,
      payment_id: null,
    });
    expect(JSON.parse(renderSampleEvent(WEBHOOK_EVENT, shop, at))).toMatchObject({ test: true, shop: { id: 8 } });
  });
});

describe('GET /webhooks/event-types', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await sharedApi();
  });
  afterAll(() => api.stop());

  it('lists the catalogue', async () => {
    const client = await api.login();
    const { status, body } = await client.get<{ data: object[] }>('/webhooks/event-types');
    expect(status).toBe(200);
    const expected = EVENT_TYPES.map((name) => ({
      name,
      description: describedEvent(name).description,
      example: exampleOf(name),
    }));
    expect(body.data).toEqual(expected);
  });
});

describe('the console', () => {
  it('filters by the types of the catalogue', () => {
    const source = readFileSync(new URL('../../../console/src/api/event-types.ts', import.meta.url), 'utf8');
    const names = [...source.matchAll(/^ {2}'(\w+\.\w+)'/gm)].map(([, name]) => name);
    expect(names.toSorted()).toEqual(EVENT_TYPES.toSorted());
  });
});

describe('docs/integrate/events.md', () => {
  it('contains the table of the catalogue', () => {
    const page = readFileSync(new URL('../../../docs/integrate/events.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+\.\w+)` *\| (.*?) *\|$/gm)].map(([, type, when]) => [type, when]);
    expect(rows).toEqual(EVENT_TYPES.map((type) => [type, describedEvent(type).description]));
  });
});
