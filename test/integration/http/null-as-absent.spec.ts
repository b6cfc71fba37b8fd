import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../support/app/api-client.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import {
  committedOpenApi,
  flattened,
  type Operation,
  operationsOf,
  type Schema,
} from '../../support/fuzz/openapi-operations.js';

const document = committedOpenApi();
const operations = operationsOf(document).filter(({ body, scopes }) => body && scopes);

type Place = (string | number)[];
type Json = Record<string | number, unknown>;

const CONDITION = {
  all: [{ amount: { equals: 10, in: [10], not: 9, min: 5, max: 20 } }],
  any: [{ country: { equals: 'DE', in: ['DE'], not: 'FR', exists: true } }, { country: { exists: false } }],
  not: { currency: { equals: 'USD', in: ['USD'], not: 'CHF' } },
  currency: { equals: 'EUR', in: ['EUR'], not: 'CHF' },
  country: { equals: 'DE', in: ['DE'], not: 'FR', exists: true },
  amount: { equals: 10, in: [10], not: 9, min: 5, max: 20 },
  customer_id: { equals: 7, in: [7], not: 8, exists: true },
};
const CONDITIONS = { currencies: ['EUR'], countries: ['DE'], min_amount: 1, max_amount: 100 };
const DEFINITION = {
  strategy: 'rules',
  shops: [{ shop_id: 1, priority: 1, weight: 1, enabled: true, conditions: CONDITIONS }],
  rules: [{ when: CONDITION, use: { strategy: 'priority', shops: [1] } }],
  default: { strategy: 'priority', shops: [1] },
  max_attempts: 2,
  assertions: [{ when: CONDITION, never: 2 }],
};
const FEE = { percent: 1, fixed: 0, currency: 'EUR', scheme: 'visa' };
const REQUEST = { flow_name: 'main', amount: 10, currency: 'EUR', country: 'DE' };
/** A standing endpoint; `auth` has the fields of one type. */
const ENDPOINT = {
  ...{ url: 'https://merchant.example/webhooks', description: 'Order service', shop_ids: [1], format: 'json' },
  ...{
    event_types: ['payment.status_changed'],
    headers: { 'X-A': '1' },
    max_per_second: 5,
    redeliver_on_recovery: true,
  },
  auth: {
    ...{ type: 'oauth2_client_credentials', token_url: 'https://login.example/token', client_id: 'a' },
    ...{ client_secret: 'b', scope: 'c' },
  },
};
/** Bodies of operations whose fields depend on each other, with as many fields as can be combined. */
const BODIES: Record<string, Json> = {
  'POST /webhooks/endpoints': { ...ENDPOINT, secret: 'a-secret-of-24-characters' },
  'PATCH /webhooks/endpoints/{id}': ENDPOINT,
  'POST /flows': { name: 'another', ...DEFINITION },
  'PATCH /flows/{id}': { name: 'main', reason: 'a better rule', ...DEFINITION },
  'POST /flows/{id}/versions': DEFINITION,
  'POST /flows/simulate': {
    ...REQUEST,
    ...{ customer_id: 7, metadata: {}, count: 2, at_counter: 0, seed: 1, explain: true, definition: DEFINITION },
    overrides: { shops: { 1: { enabled: true, weight: 1, healthy: true, fees: [FEE] } } },
  },
  'POST /flows/{id}/replay': {
    ...{ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', limit: 10, seed: 1, definition: DEFINITION },
  },
};
/** Fields that another field excludes. */
const WITHOUT: Record<string, string> = {
  'POST /payments': 'customer_id',
  'PATCH /shops/{id}': 'webhook_signing',
  'POST /webhooks/redeliver': 'endpoint_id',
};

/** A body from the examples of the schema's fields. */
function sample(schema: Schema): unknown {
  const { example, properties, items, ...flat } = flattened(document, schema);
  if (example !== undefined) return example;
  if (properties) {
    const fields = Object.entries(properties).map(([name, field]) => [name, sample(field)] as const);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }
  if (items) return [sample(items)];
  return flat.enum?.[0];
}

function bodyOf({ name, body }: Operation): Json {
  const { [WITHOUT[name] ?? '']: _, ...whole } = BODIES[name] ?? (sample(body!) as Json);
  if (name !== 'POST /payments') return whole;
  // a payment has one token, options, or a saved method
  const { payment_method_id: __, payment_method: method, ...payment } = whole;
  const { options: ___, ...oneToken } = method as Json;
  return { ...payment, payment_method: oneToken };
}

/** Every optional field of the schema for which the value has the parent object. */
function optionalPlaces(schema: Schema, value: unknown, place: Place = []): [Place, Schema][] {
  const {
    properties = {},
    required = [],
    items,
    additionalProperties,
  } = schema.$ref === '#/components/schemas/Condition'
    ? document.components.schemas['Condition']!
    : flattened(document, schema);
  if (Array.isArray(value))
    return items ? value.flatMap((item, at) => optionalPlaces(items, item, [...place, at])) : [];
  if (typeof value !== 'object' || value === null) return [];
  const fields = Object.entries(properties);
  const map = typeof additionalProperties === 'object' && fields.length === 0 ? additionalProperties : undefined;
  if (map) return Object.keys(value).flatMap((key) => optionalPlaces(map, (value as Json)[key], [...place, key]));
  return fields.flatMap(([name, field]) => [
    ...(required.includes(name) ? [] : [[[...place, name], field] as [Place, Schema]]),
    ...optionalPlaces(field, (value as Json)[name], [...place, name]),
  ]);
}

/** A copy with or without the field. */
function withField(body: Json, place: Place, value: null | undefined): Json {
  const copy = structuredClone(body);
  const parent = place.slice(0, -1).reduce((inner, key) => inner[key] as Json, copy);
  if (value === undefined) delete parent[place.at(-1)!];
  else parent[place.at(-1)!] = value;
  return copy;
}

const takesNull = (schema: Schema): boolean => [flattened(document, schema).type].flat().includes('null');

const cases = operations.flatMap((operation) => {
  const body = bodyOf(operation);
  return optionalPlaces(operation.body!, body).map(([place, schema]) => [operation, body, place, schema] as const);
});

let api: TestApi;
let client: ApiClient;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT_PER_SECOND: '10000', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  client = await api.login();
  for (const name of ['Berlin', 'Paris']) await client.post('/shops', { name });
  await client.post('/webhooks/endpoints', { url: ENDPOINT.url });
  await client.post('/flows', { name: 'main', strategy: 'round_robin', shops: [{ shop_id: 1 }] });
});
afterAll(() => api.stop());

const pathOf = ({ path }: Operation): string => path.replaceAll(/\{\w+\}/g, '1');

interface Answer {
  code?: string;
  detail?: string;
  errors?: { field: string; message: string }[];
}

async function refusalOf(operation: Operation, body: Json): Promise<Answer | undefined> {
  const { status, body: answer } = await client.request<Answer>(operation.method, pathOf(operation), body);
  expect(status).not.toBe(429);
  return status === 422 ? { code: answer.code!, detail: answer.detail!, errors: answer.errors! } : undefined;
}

describe('An optional field of a body', () => {
  it('exists in the body of every operation', () => {
    expect(cases.length).toBeGreaterThan(250);
    const without = operations.filter(({ name }) => !cases.some(([operation]) => operation.name === name));
    // all fields of these bodies are required
    expect(without.map(({ name }) => name)).toEqual([
      'POST /payments/{id}/next-action',
      'POST /webhooks/shop/{shopId}/test',
      'POST /webhooks/shop/{shopId}/conformance',
    ]);
  });

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    'counts as absent for %s when it is null',
    async (_, operation) => {
      const own = cases.filter(([each]) => each === operation);
      if (own.length > 0)
        expect([operation.name, await refusalOf(operation, own[0]![1])]).toEqual([operation.name, undefined]);
      for (const [, body, place, schema] of own) {
        if (takesNull(schema)) continue;
        const [left, given] = [withField(body, place, undefined), withField(body, place, null)];
        expect([place.join('.'), await refusalOf(operation, given)]).toEqual([
          place.join('.'),
          await refusalOf(operation, left),
        ]);
      }
    },
  );

  it('explains null in its description if its type includes null', () => {
    const nullable = cases.filter(([, , , schema]) => takesNull(schema));
    expect(nullable.filter(([, , , schema]) => !/null/.test(flattened(document, schema).description ?? ''))).toEqual(
      [],
    );
  });

  it('counts as absent for POST /flows when it is null, except a value of the metadata', async () => {
    const stored = async (name: string, whenMore: Json, more: Json): Promise<unknown> => {
      const rules = [{ when: { amount: { min: 5, ...more }, 'metadata.tier': { not: null, ...more }, ...whenMore } }];
      const { status, body } = await client.post<{ data: Json }>('/flows', {
        ...{ name, strategy: 'rules', default: DEFINITION.default },
        shops: [{ shop_id: 1, ...(more['in'] === null && { priority: null, weight: null, conditions: null }) }],
        rules: rules.map((rule) => ({ ...rule, use: DEFINITION.default })),
      });
      expect([status, body]).toMatchObject([201, {}]);
      const { shops, rules: storedRules } = (await client.get<{ data: Json }>(`/flows/${String(body.data['id'])}`)).body
        .data;
      return { shops, storedRules };
    };
    const given = await stored('null given', { all: null, not: null, country: null }, { in: null, exists: null });
    expect(given).toEqual(await stored('left out', {}, {}));
    expect(JSON.stringify(given)).toContain('{"amount":{"min":5},"metadata.tier":{"not":null}}');
  });

  it('counts as absent for POST /payments when it is null, also a customer next to customer_id', async () => {
    const request = { flow_name: 'paid', amount: 10, currency: 'EUR' };
    await client.post('/flows', { name: 'paid', strategy: 'round_robin', shops: [{ shop_id: 1 }] });
    const first = await client.post<{ data: { customer: { id: number } } }>('/payments', {
      ...request,
      customer: { email: 'ada@example.com', phone: null, date_of_birth: null },
    });
    expect(first.body.data.customer).toEqual({ id: expect.any(Number), email: 'ada@example.com' });
    const again = {
      ...request,
      customer: null,
      customer_id: first.body.data.customer.id,
      country: null,
      metadata: null,
    };
    expect((await client.post('/payments', again)).body).toMatchObject({
      data: { customer: { email: 'ada@example.com' } },
    });
  });

  it('gives an error with its name when it is null and required', async () => {
    const { status, body } = await client.post<Answer>('/payments', { flow_name: null, amount: null, currency: null });
    expect([status, body.errors!.map(({ field }) => field).sort()]).toEqual([422, ['amount', 'currency', 'flow_name']]);
  });
});
