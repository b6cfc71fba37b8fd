import type { ApiClient } from '../app/api-client.js';
import { flattened, type OpenApiDocument, type Operation, type Schema } from '../fuzz/openapi-operations.js';

type Place = (string | number)[];
type Json = Record<string | number, unknown>;
interface Refusal {
  code: string;
  detail: string;
  errors: unknown;
}

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

const BACKTEST = {
  ...{ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', limit: 10, seed: 1, definition: DEFINITION },
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
  'POST /flows/{id}/backtest': BACKTEST,
  'POST /flows/{id}/replay': BACKTEST,
};

/** Fields that another field excludes. */
const WITHOUT: Record<string, string> = {
  'POST /payments': 'customer_id',
  'PATCH /shops/{id}': 'webhook_signing',
  'POST /webhooks/redeliver': 'endpoint_id',
  'POST /clients': 'scopes',
  'PATCH /clients/{clientId}': 'scopes',
};

/** Its body has conditions with operators of which at least one is needed: each of its fields has its own case, too, once. */
const ONE_BY_ONE = 'POST /flows/{id}/versions';

/** Places of optional fields in the body of an operation that are null together. */
export interface NullCase {
  operation: Operation;
  body: Json;
  places: Place[];
}

/** Checks, in bodies with all fields, that an optional field counts as absent when it is null. */
export class NullCheck {
  readonly operations: Operation[];
  readonly fields: { operation: Operation; body: Json; place: Place; schema: Schema }[];
  /** A body with all fields of each operation. */
  readonly bodies: ReadonlyMap<Operation, Json>;
  /** All fields of one depth are null together. */
  readonly cases: NullCase[] = [];

  constructor(
    private readonly document: OpenApiDocument,
    operations: Operation[],
  ) {
    this.operations = operations.filter(({ body, scopes }) => body && scopes);
    this.bodies = new Map(this.operations.map((operation) => [operation, this.bodyOf(operation)]));
    this.fields = this.operations.flatMap((operation) => {
      const body = this.bodies.get(operation)!;
      const places = this.optionalPlaces(operation.body!, body);
      return places.map(([place, schema]) => ({ operation, body, place, schema }));
    });
    const together = new Map<string, NullCase>();
    const asked = new Set<string>();
    for (const { operation, body, place, schema } of this.fields) {
      if (this.takesNull(schema)) continue;
      const known = place.slice(-2).join('.');
      if (operation.name === ONE_BY_ONE && !asked.has(known)) {
        asked.add(known);
        this.cases.push({ operation, body, places: [place] });
      }
      const key = `${operation.name} ${place.length}`;
      const others = together.get(key)?.places ?? [];
      together.set(key, { operation, body, places: [...others, place] });
    }
    this.cases.push(...together.values());
  }

  takesNull = (schema: Schema): boolean => [flattened(this.document, schema).type].flat().includes('null');

  /** Faults of the answers to all operations. `client` is of a merchant that has the first two shops. */
  async faults(client: ApiClient): Promise<string[]> {
    await client.post('/webhooks/endpoints', { url: ENDPOINT.url });
    const shops = [{ shop_id: 1 }];
    const made = await client.post<{ data: { id: number } }>('/flows', {
      name: 'main',
      strategy: 'round_robin',
      shops,
    });
    const refusalOf = async ({ method, path }: Operation, body: Json): Promise<Refusal | undefined> => {
      const own = path.replace('/flows/{id}', `/flows/${made.body.data.id}`).replaceAll(/\{\w+\}/g, '1');
      const { status, body: answer } = await client.request<Refusal>(method, own, body);
      return status === 422 ? { code: answer.code, detail: answer.detail, errors: answer.errors } : undefined;
    };
    const faults: string[] = [];
    const whole = new Map(this.cases.map(({ operation, body }) => [operation, body]));
    for (const [operation, body] of whole) {
      const refusal = await refusalOf(operation, body);
      if (refusal) faults.push(`${operation.name} refuses its whole body: ${JSON.stringify(refusal)}`);
    }
    for (const { operation, body, places } of this.cases) {
      const [left, given] = [undefined, null].map((value) => withFields(body, places, value));
      const [expected, seen] = [await refusalOf(operation, left!), await refusalOf(operation, given!)];
      if (JSON.stringify(expected) === JSON.stringify(seen)) continue;
      const names = places.map((place) => place.join('.')).join(', ');
      faults.push(`${operation.name}: ${names}: ${JSON.stringify([expected, seen])}`);
    }
    return faults;
  }

  /** A body from the examples of the schema's fields. */
  private sample(schema: Schema): unknown {
    const { example, properties, items, ...flat } = flattened(this.document, schema);
    if (example !== undefined) return example;
    if (properties) {
      const fields = Object.entries(properties).map(([name, field]) => [name, this.sample(field)] as const);
      return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    }
    if (items) return [this.sample(items)];
    return flat.enum?.[0];
  }

  private bodyOf({ name, body }: Operation): Json {
    const { [WITHOUT[name] ?? '']: _, ...whole } = BODIES[name] ?? (this.sample(body!) as Json);
    if (name !== 'POST /payments') return whole;
    // a payment has one token, options, or a saved method
    const { payment_method_id: __, payment_method: method, ...payment } = whole;
    const { options: ___, ...oneToken } = method as Json;
    return { ...payment, payment_method: oneToken };
  }

  /** Every optional field of the schema for which the value has the parent object. */
  private optionalPlaces(schema: Schema, value: unknown, place: Place = []): [Place, Schema][] {
    const {
      properties = {},
      required = [],
      items,
      additionalProperties,
    } = schema.$ref === '#/components/schemas/Condition'
      ? this.document.components.schemas['Condition']!
      : flattened(this.document, schema);
    if (Array.isArray(value))
      return items ? value.flatMap((item, at) => this.optionalPlaces(items, item, [...place, at])) : [];
    if (typeof value !== 'object' || value === null) return [];
    const fields = Object.entries(properties);
    const map = typeof additionalProperties === 'object' && fields.length === 0 ? additionalProperties : undefined;
    if (map)
      return Object.keys(value).flatMap((key) => this.optionalPlaces(map, (value as Json)[key], [...place, key]));
    return fields.flatMap(([name, field]) => [
      ...(required.includes(name) ? [] : [[[...place, name], field] as [Place, Schema]]),
      ...this.optionalPlaces(field, (value as Json)[name], [...place, name]),
    ]);
  }
}

/** A copy with the fields null, or without them. */
function withFields(body: Json, places: Place[], value: null | undefined): Json {
  const copy = structuredClone(body);
  for (const place of places) {
    const parent = place.slice(0, -1).reduce((inner, key) => inner[key] as Json, copy);
    if (value === undefined) delete parent[place.at(-1)!];
    else parent[place.at(-1)!] = value;
  }
  return copy;
}
