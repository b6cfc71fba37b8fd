import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DocumentedAnswers } from '../../support/fuzz/documented-answers.js';
import { committedOpenApi, operationsOf } from '../../support/fuzz/openapi-operations.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { startRole, type TestApplication } from './running.js';

const METRICS_TOKEN = 'token-of-prometheus-0123456789';
const DOCS_TOKEN = 'token-of-the-docs-0123456789';
const TOKENS = { METRICS_TOKEN, DOCS_TOKEN };

let database: TestDatabase;
let api: TestApplication;
let worker: TestApplication;
beforeAll(async () => {
  database = await createTestDatabase();
  api = await startRole('api', database.url, undefined, { ...TOKENS, MANAGEMENT_PORT: '0' });
  worker = await startRole('worker', database.url, undefined, TOKENS);
});
afterAll(async () => {
  await Promise.all([api?.stop(), worker?.stop()]);
  await database.drop();
});

const ask = (url: string, authorization?: string, method = 'GET') =>
  fetch(url, { method, redirect: 'manual', ...(authorization !== undefined && { headers: { authorization } }) });
const bearer = (token: string) => `Bearer ${token}`;
const basic = (token: string, user = 'operator') => `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`;

/** The process of each guarded path, its token and another one. */
const guarded = () =>
  [
    [`${api.managementAddress}/metrics`, METRICS_TOKEN, DOCS_TOKEN],
    [`${worker.address}/metrics`, METRICS_TOKEN, DOCS_TOKEN],
    [`${api.address}/docs`, DOCS_TOKEN, METRICS_TOKEN],
    [`${api.address}/docs/swagger-ui.css`, DOCS_TOKEN, METRICS_TOKEN],
    [`${api.address}/docs/swagger-ui-init.js`, DOCS_TOKEN, METRICS_TOKEN],
    [`${api.address}/openapi.json`, DOCS_TOKEN, METRICS_TOKEN],
  ] as const;

describe('A token for metrics and docs', () => {
  it('works as a bearer token and as a password, with any user', async () => {
    for (const [url, token] of guarded()) {
      for (const authorization of [bearer(token), basic(token), basic(token, '')]) {
        expect([url, (await ask(url, authorization)).status]).toEqual([url, 200]);
      }
    }
  });

  it('protects the path in every other case and in every spelling', async () => {
    for (const [url, token, other] of guarded()) {
      const encoded = url.replace(
        /\/(m|d|o)(?=[^/]*$|ocs)/,
        (_, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`,
      );
      for (const address of [url, `${url}?token=${token}`, encoded]) {
        for (const authorization of [undefined, bearer(other), basic(other), bearer(`${token}x`), bearer(''), token]) {
          const { status } = await ask(address, authorization);
          expect([address, authorization, status]).toEqual([address, authorization, 401]);
        }
      }
      expect((await ask(url, undefined, 'HEAD')).status).toBe(401);
    }
  });

  it('leads to a challenge that the caller supports: Basic for a browser, Bearer for Prometheus', async () => {
    const [metrics, docs] = [await ask(`${worker.address}/metrics`), await ask(`${api.address}/docs`)];
    expect(metrics.headers.get('www-authenticate')).toBe('Bearer realm="metrics"');
    expect(docs.headers.get('www-authenticate')).toBe('Basic realm="docs"');
    expect(await docs.json()).toMatchObject({ code: 'unauthorized', success: false });
  });

  it('leads to the documented response of the metrics when it is missing', async () => {
    const document = committedOpenApi();
    const operation = operationsOf(document).find(({ path }) => path === '/metrics')!;
    const answer = await ask(`${worker.address}/metrics`);
    const { status, headers } = answer;
    const shown = { status, headers: Object.fromEntries(headers), text: await answer.text() };
    expect([status, new DocumentedAnswers(document).errors(operation, shown)]).toEqual([401, []]);
  });

  it('leaves health open, and does not work as an API token', async () => {
    expect((await ask(`${worker.address}/health/ready`)).status).toBe(200);
    expect((await ask(`${api.managementAddress}/health/live`)).status).toBe(200);
    expect((await ask(`${api.address}/shops`, bearer(DOCS_TOKEN))).status).toBe(401);
  });

  it('works together with METRICS_PORT as the name of the port', async () => {
    const other = await startRole('api', database.url, undefined, { METRICS_PORT: '0' });
    expect((await ask(`${other.managementAddress}/metrics`)).status).toBe(200);
    expect((await ask(`${other.address}/metrics`)).status).toBe(404);
    await other.stop();
  });
});
