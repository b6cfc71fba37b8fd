import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { Merchant } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { LedgerProvider } from './ledger-provider.js';
import { SoleWorker } from '../../support/app/sole-worker.js';
import { aRecovery } from '../../support/app/recovery-harness.js';
import { moveTries } from '../../support/operation-work.js';

const BACKLOG = 100;
const SHARE = 16;

let api: TestApi;
let merchant: Merchant;
let provider: LedgerProvider;
let backlogged: number[];
let other: number;

beforeAll(async () => {
  api = await startApi({ PROVIDER_TIMEOUT_MS: '60000', RATE_LIMIT_PER_SECOND: '0' });
  merchant = new Merchant(await api.login());
  for (const name of ['A', 'B']) await merchant.createFlow(name, [(await merchant.createShop(name)).id]);
});
afterAll(() => api.stop());

/** Charges whose answers got lost. Those of A have been due for an hour, that of B is due now. */
beforeEach(async () => {
  provider = new LedgerProvider(api);
  provider.fates = { charge: Array<'lost'>(BACKLOG + 1).fill('lost') };
  backlogged = [];
  while (backlogged.length < BACKLOG) {
    const payments = await Promise.all(Array.from({ length: 50 }, () => merchant.pay('A')));
    backlogged.push(...payments.map(({ id }) => id));
  }
  other = (await merchant.pay('B')).id;
  await api.database.pool.query(
    moveTries(`clock_timestamp() - CASE o.payment_id WHEN $1 THEN interval '0' ELSE interval '1 hour' END`, 'true'),
    [other],
  );
});

const countOf = async (status: string): Promise<number> => {
  const { rows } = await api.database.pool.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM payments WHERE id = ANY ($1) AND status = $2',
    [backlogged, status],
  );
  return rows[0]!.count;
};

describe('OperationRecovery with an unresponsive provider', () => {
  it('recovers another shop while all calls of the first hang, and the first one’s backlog afterwards', async () => {
    const shopOf = new Set(backlogged);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    provider.beforeLookup = ({ paymentId }) => (shopOf.has(paymentId) ? released : Promise.resolve());
    const recovery = aRecovery(api);
    const worker = new SoleWorker();
    worker.add(recovery.job);
    try {
      await eventually(async () => expect((await merchant.payment(other)).status).toBe('completed'));
      await eventually(() =>
        expect(provider.calls.filter(({ operation }) => operation === 'lookup').length).toBe(SHARE + 1),
      );
      expect(await countOf('pending')).toBe(BACKLOG);
      release();
      await eventually(async () => expect(await countOf('completed')).toBe(BACKLOG));
      expect(provider.calls.filter(({ operation }) => operation === 'lookup')).toHaveLength(BACKLOG + 1);
    } finally {
      release();
      await worker.stop();
      await recovery.onModuleDestroy();
    }
  });
});
