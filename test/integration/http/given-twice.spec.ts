import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../support/app/api-client.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { committedOpenApi, type Operation, operationsOf } from '../../support/fuzz/openapi-operations.js';

const operations = operationsOf(committedOpenApi());
const withBody = operations.filter(({ body, scopes }) => body && scopes);
const withQuery = operations.flatMap(({ parameters, ...operation }) =>
  parameters.filter((each) => each.in === 'query').map(({ name }) => [operation, name] as const),
);

interface Refusal {
  code: string;
  errors: { field: string; message: string }[];
}

let api: TestApi;
let client: ApiClient;
beforeAll(async () => {
  api = await startApi();
  client = await api.login();
});
afterAll(() => api.stop());

const pathOf = ({ path }: Pick<Operation, 'path'>): string => path.replaceAll(/\{\w+\}/g, '1');

describe('A repeated key in a JSON object', () => {
  it.each(withBody.map((operation) => [operation.name, operation] as const))(
    'makes %s refuse the body and name the path',
    async (_, operation) => {
      const body = '{"a":{"list":[{"b":1},{"amount":1,"c":[],"\\u0061mount":2}]}}';
      const { status, body: problem } = await client.request<Refusal>(operation.method, pathOf(operation), body);
      expect([status, problem.code]).toEqual([422, 'validation_failed']);
      expect(problem.errors).toEqual([
        { field: 'a.list[1].amount', message: 'must come only once: its object has this key twice' },
      ]);
    },
  );

  it('concerns every operation with a body', () => {
    expect(withBody.length).toBeGreaterThan(15);
  });

  it('makes POST /payments refuse a large body, which is parsed later', async () => {
    const body = `{"amount":1,"metadata":{"x":"${'x'.repeat(20_000)}"},"amount":2}`;
    const { status, body: problem } = await client.post<Refusal>('/payments', body);
    expect([status, problem.errors[0]?.field]).toEqual([422, 'amount']);
  });

  it('makes POST /auth/token refuse the body with an OAuth error', async () => {
    const { status, body } = await client.post(
      '/auth/token',
      '{"grant_type":"client_credentials","scope":"a","scope":"b"}',
    );
    expect([status, body]).toEqual([
      400,
      {
        error: 'invalid_request',
        error_description: 'scope must come only once: its object has this key twice',
      },
    ]);
    const odd = await client.post<{ error_description: string }>('/auth/token', '{"\\"é":1,"\\"é":1}');
    expect(odd.body.error_description).toBe('?? must come only once: its object has this key twice');
  });
});

describe('A repeated parameter', () => {
  it.each(withQuery.map(([operation, name]) => [operation.name, name, operation] as const))(
    'makes %s refuse the request and name it: %s',
    async (_, name, operation) => {
      for (const value of ['1', '2026-11-21T01:02:03Z', 'completed']) {
        const query = `${name}=${encodeURIComponent(value)}&${name}=${encodeURIComponent(value)}`;
        const { status, body } = await client.request<Refusal>(operation.method, `${pathOf(operation)}?${query}`);
        expect([status, body.code]).toEqual([400, 'malformed_request']);
        expect(body.errors.map(({ field }) => field)).toContain(name);
      }
    },
  );

  it.each(['grant_type', 'client_id', 'client_secret', 'scope'])(
    'makes POST /auth/token refuse a form and name it: %s',
    async (name) => {
      const fields = { grant_type: 'client_credentials', client_id: 'a', client_secret: 'b', scope: 'shops:read' };
      const form = `${new URLSearchParams(fields).toString()}&${new URLSearchParams({ [name]: fields[name as 'scope'] }).toString()}`;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const { status, body } = await client.post('/auth/token', form, headers);
      expect([status, body]).toEqual([
        400,
        { error: 'invalid_request', error_description: `${name} must be one string` },
      ]);
    },
  );
});
