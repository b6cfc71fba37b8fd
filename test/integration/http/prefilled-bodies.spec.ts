import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ApiClient } from '../../support/app/api-client.js';
import { Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { committedOpenApi, flattened, type Operation, operationsOf } from '../../support/fuzz/openapi-operations.js';
import { stopCharges } from '../../support/fuzz/fuzz-material.js';
import { mediaOf, prefilled, prefilledPath } from '../../support/fuzz/prefilled-bodies.js';

const document = committedOpenApi();
const operations = operationsOf(document).filter(({ body, scopes }) => body && scopes);

/** Operations whose prefilled body works on a new service after the ones before, in this order. */
const ORDER = [
  'POST /shops',
  'POST /flows',
  'POST /flows/simulate',
  'POST /payments',
  'POST /payments/{id}/refund',
  'PATCH /shops/{id}',
  'POST /shops/{id}/webhook-secret/rotate',
  'PATCH /flows/{id}',
  'POST /flows/{id}/versions',
  'POST /flows/{id}/replay',
];

let api: TestApi;
let client: ApiClient;
beforeAll(async () => {
  api = await startApi();
  client = await api.login();
});
afterAll(() => api.stop());

/** Paths of operations that need another object than the first of its kind. */
const paths = new Map<string, string>();

const send = async (operation: Operation, body: unknown): Promise<[string, number, unknown]> => {
  const path = paths.get(operation.name) ?? prefilledPath(operation);
  const answer = await client.request(operation.method, path, body);
  return [operation.name, answer.status, answer.status < 300 ? undefined : answer.body];
};

let flowsMade = 0;
/** The path of a new flow with a draft, version 2. */
async function aFlowWithDraft(): Promise<string> {
  const { id } = await new Merchant(client).createFlow(`to roll out ${++flowsMade}`, [1]);
  await client.post(`/flows/${id}/versions`, { strategy: 'weighted', shops: [{ shop_id: 1 }] });
  return `/flows/${id}`;
}

async function aRollout(): Promise<string> {
  const path = `${await aFlowWithDraft()}/rollouts`;
  const { body } = await client.post<{ data: { id: number } }>(path, { version: 2, percent: 5, key: 'payment' });
  return `${path}/${body.data.id}`;
}

describe('Prefilled bodies of Swagger UI', () => {
  it('work on a new service from the first shop to the refund, then everywhere, then with the other examples', async () => {
    for (const name of ORDER) {
      const operation = operations.find((each) => each.name === name)!;
      const [, status, problem] = await send(operation, prefilled(document, operation));
      expect([name, problem, status < 300]).toEqual([name, undefined, true]);
    }

    // an author approves nothing
    await api.database.pool.query("UPDATE flow_versions SET created_by = 'another client'");
    const authorized = await new Merchant(client).pay('checkout', { capture: 'manual' });
    paths.set('POST /payments/{id}/capture', `/payments/${authorized.id}/capture`);
    const acting = await new Merchant(client).pay('checkout', { payment_method: { token: 'tok_provider_action' } });
    paths.set('POST /payments/{id}/next-action', `/payments/${acting.id}/next-action`);
    const paid = await new Merchant(client).pay('checkout');
    paths.set('POST /payments/{id}/refunds', `/payments/${paid.id}/refunds`);
    const held = await new Merchant(client).pay('checkout', { capture: 'manual' });
    const disputed = await new Merchant(client).pay('checkout');
    const sandbox = '/providers/sandbox';
    const changeOf = ({ provider_transaction_id: id }: PaymentAnswer, change: string): string =>
      `${sandbox}/transactions/${id}/${change}`;
    paths.set(`POST ${sandbox}/transactions/{transactionId}/captures`, changeOf(held, 'captures'));
    for (const change of ['refunds', 'disputes']) {
      paths.set(`POST ${sandbox}/transactions/{transactionId}/${change}`, changeOf(disputed, change));
    }
    const opened = await client.post<{ data: { id: string } }>(changeOf(disputed, 'disputes'), { amount: 1 });
    paths.set(`PATCH ${sandbox}/disputes/{sandboxDisputeId}`, `${sandbox}/disputes/${opened.body.data.id}`);
    // the provider charged it, and recovery has given up
    const unknown = await new Merchant(client).pay('checkout', { payment_method: { token: 'tok_charged_no_answer' } });
    const [stopped] = await stopCharges(api.database.pool, [unknown]);
    const settle = `/payments/${unknown.id}/operations/${stopped!.operation}/settle`;
    paths.set('POST /payments/{id}/operations/{operationId}/settle', settle);
    const endpoint = await client.post<{ data: { id: number } }>('/webhooks/endpoints', {
      url: 'https://merchant.example',
    });
    const standing = `/webhooks/endpoints/${endpoint.body.data.id}`;
    paths.set('PATCH /webhooks/endpoints/{id}', standing);
    for (const action of ['rotate-secret', 'test'])
      paths.set(`POST /webhooks/endpoints/{id}/${action}`, `${standing}/${action}`);
    for (const [call, action] of [
      ['PATCH', ''],
      ['POST', '/promote'],
      ['POST', '/abort'],
    ])
      paths.set(`${call} /flows/{id}/rollouts/{rolloutId}${action}`, `${await aRollout()}${action}`);
    paths.set('POST /flows/{id}/rollouts', `${await aFlowWithDraft()}/rollouts`);
    await client.patch('/shops/1', { webhook_signing: 'public_key' }); // without it there is no key to rotate
    for (const operation of operations.filter(({ name }) => !ORDER.includes(name))) {
      const [name, status, problem] = await send(operation, prefilled(document, operation));
      expect([name, problem, status < 300]).toEqual([name, undefined, true]);
    }

    // some need two shops
    await client.post('/shops', { name: 'Paris' });
    for (const operation of operations) {
      for (const [example, { value }] of Object.entries(mediaOf(document, operation).examples ?? {}).slice(1)) {
        const [name, status, problem] = await send(operation, value);
        expect([name, example, problem, status < 300]).toEqual([name, example, undefined, true]);
      }
    }
  });

  it('conform to the schema of the body', () => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    addFormats.default(ajv);
    for (const operation of operations) {
      const { schema, examples = {} } = mediaOf(document, operation);
      const validate = ajv.compile({ ...schema, components: document.components });
      for (const [example, { value }] of Object.entries(examples)) {
        validate(value);
        expect([operation.name, example, validate.errors]).toEqual([operation.name, example, null]);
      }
    }
  });

  it('leave optional query parameters empty, so that lists are complete', () => {
    const queries = operationsOf(document).flatMap(({ name, parameters }) =>
      parameters.filter((each) => each.in === 'query' && !each.required).map((each) => [name, each.name, each.schema]),
    );
    expect(queries.length).toBeGreaterThan(10);
    expect(queries.filter(([, , schema]) => (schema as { example?: unknown }).example !== undefined)).toEqual([]);
  });

  it('send the credentials of a token request in one place, and ask for every scope', () => {
    const form = document.paths['/auth/token']!['post']!.requestBody!.content['application/x-www-form-urlencoded']!;
    const { properties = {} } = flattened(document, form.schema);
    const filled = Object.entries(properties).filter(([, { example }]) => example !== undefined);
    expect(filled.map(([name]) => name)).toEqual(['grant_type']);
  });
});
