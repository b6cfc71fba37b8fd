import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../../src/platform/database/database.js';
import type { ChargeRequest } from '@payment-orchestrator/provider-kit';
import { isWritten, newTransaction } from '../../packages/provider-sandbox/src/charge.js';
import { SandboxLedger } from '../../packages/provider-sandbox/src/ledger.js';
import { scenarioOf } from '../../packages/provider-sandbox/src/token.js';
import { connectorHost } from '../../src/providers/connectors/connector-context.js';
import { connectorContext } from '../support/providers/connector-context.js';
import { ApiClient } from '../support/app/api-client.js';
import { dataOf, Merchant, NOTIFICATION_SECRET } from '../support/app/merchant.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { BOOTSTRAP_CLIENT } from '../support/app/service.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { eventually } from '../support/eventually.js';

let database: TestDatabase;
let service: InProcessService | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

const login = async (): Promise<Merchant> =>
  new Merchant(await ApiClient.login(service!.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));

/** Inserts a charge of a process that has died since. */
async function chargeAndDie(shopId: number): Promise<string> {
  const scenario = scenarioOf('tok_async_success', {});
  if (!isWritten(scenario)) throw new Error('the sandbox writes no transaction for this token');
  const reference = randomUUID();
  const request: ChargeRequest = {
    paymentId: 1,
    shopId,
    reference,
    transactionId: null,
    credentials: { notification_secret: NOTIFICATION_SECRET },
    idempotencyKey: randomUUID(),
    amount: '49.90',
    currency: 'EUR',
    country: null,
    sessionId: 'session',
    paymentMethod: { token: 'tok_async_success' },
    returnUrl: undefined,
    customer: null,
    metadata: null,
    capture: 'automatic',
    attemptedAt: new Date(),
    notificationUrl: undefined,
  };
  const host = connectorHost(database.database as unknown as Database, { url: 'http://127.0.0.1:1' });
  const context = connectorContext({ call: () => Promise.reject(new Error('not called')) });
  await new SandboxLedger(host.database).open(newTransaction(request, scenario, context, host.url()));
  return reference;
}

describe('a notification of the sandbox whose process was killed', () => {
  it('arrives from the next process that serves the API', async () => {
    service = await startServiceInProcess({ entry: 'api', databaseUrl: database.url });
    const { id: shopId } = await (await login()).createShop('Berlin');
    await service.stop();
    const reference = await chargeAndDie(shopId);
    service = await startServiceInProcess({ entry: 'api', databaseUrl: database.url });
    const { api } = await login();
    await eventually(async () => {
      const received = dataOf<unknown[]>(await api.get(`/providers/notifications?shop_id=${shopId}`));
      expect(received).toMatchObject([{ provider_transaction_id: `sbx_${reference}`, status: 'completed' }]);
    });
    await eventually(async () =>
      expect((await database.pool.query('SELECT FROM sandbox_notifications')).rowCount).toBe(0),
    );
  });
});
