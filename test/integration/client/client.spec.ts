import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, type PaymentOrchestratorClient, ProblemError, TokenError } from '@payment-orchestrator/client';
import { type InProcessService, startServiceInProcess } from '../../support/app/in-process-service.js';
import { BOOTSTRAP_CLIENT } from '../../support/app/service.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

let database: TestDatabase;
let service: InProcessService;
let client: PaymentOrchestratorClient;
/** The client's first request goes here, later ones to the service. */
let lost: ((request: Request) => Promise<Response>)[] = [];

const credentials = { clientId: BOOTSTRAP_CLIENT.id, clientSecret: BOOTSTRAP_CLIENT.secret };
const fetchOrLose = (request: Request): Promise<Response> => (lost.shift() ?? fetch)(request);

/** The service answers, but the client does not receive the answer. */
const loseAnswer = async (request: Request): Promise<Response> => {
  await (await fetch(request)).arrayBuffer();
  throw new TypeError('the answer was lost');
};

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceInProcess({ entry: 'api', databaseUrl: database.url });
  client = createClient({ baseUrl: service.url, credentials, fetch: fetchOrLose, retries: { firstDelayMs: 1 } });
  const { data: shop } = await client.post('/shops', { body: { name: 'Berlin' } });
  const shops = [{ shop_id: shop.id }];
  await client.post('/flows', { body: { name: 'checkout', strategy: 'round_robin', shops } });
});
afterAll(async () => {
  lost = [];
  await service.stop();
  await database.drop();
});

const pay = () => client.post('/payments', { body: { flow_name: 'checkout', amount: 49.9, currency: 'EUR' } });

describe('the client and the service', () => {
  it('create one payment, for any number of lost answers', async () => {
    const before = await count();
    lost = [loseAnswer, loseAnswer];
    const { data: payment } = await pay();
    expect([payment.status, await count()]).toEqual(['completed', before + 1]);
  });

  it('read every page of a list', async () => {
    for (let made = 0; made < 3; made++) await pay();
    const ids: number[] = [];
    for await (const { id } of client.list('/payments', { params: { query: { limit: 2 } } })) ids.push(id);
    expect(ids).toHaveLength(await count());
    expect(ids).toEqual([...ids].sort((one, other) => other - one));
  });

  it('tell what is wrong with a request by code and field', async () => {
    const refusal = client.post('/payments', { body: { flow_name: 'checkout', amount: 0, currency: 'EUR' } });
    const error = await refusal.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ code: 'validation_failed', fields: [{ field: 'amount' }] });
  });

  it('answer a bare boolean to a simple simulation', async () => {
    expect(await client.post('/flows/simulate', { body: { flow_name: 'checkout', simple: true } })).toBe(true);
  });

  it('say that a secret is wrong', async () => {
    const stranger = createClient({ baseUrl: service.url, credentials: { ...credentials, clientSecret: 'no' } });
    await expect(stranger.get('/shops')).rejects.toBeInstanceOf(TokenError);
  });

  it('agree on a token of fewer scopes', async () => {
    const reader = createClient({ baseUrl: service.url, credentials: { ...credentials, scope: 'shops:read' } });
    expect((await reader.get('/shops')).data).toContainEqual(expect.objectContaining({ name: 'Berlin' }));
    await expect(reader.get('/flows')).rejects.toMatchObject({ code: 'insufficient_scope' });
  });
});

describe("the client's README", () => {
  it('runs as it is printed', async () => {
    const readme = readFileSync(new URL('../../../packages/client/README.md', import.meta.url), 'utf8');
    const snippets = [...readme.matchAll(/```js\n([^]*?)```/g)].map(([, code]) => code);
    const program = snippets
      .join('\n')
      .replace('http://127.0.0.1:3000', service.url)
      .replaceAll("'checkout'", "'readme'");
    // below node_modules, where the name of the package resolves
    const folder = fileURLToPath(new URL('../../../node_modules/.cache/client-readme/', import.meta.url));
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}program.mjs`, program.replace("name: 'Berlin'", "name: 'Rome'"));
    const env = { ...process.env, CLIENT_ID: credentials.clientId, CLIENT_SECRET: credentials.clientSecret };
    const { stdout } = await promisify(execFile)(process.execPath, [`${folder}program.mjs`], { env });
    expect(stdout).toMatch(/^completed\n[^]*field: 'amount'/);
  });
});

async function count(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM payments');
  return rows[0]!.count;
}
