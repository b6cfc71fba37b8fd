import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { runs } from '../../support/fuzz/runs.js';
import { LedgerProvider } from './ledger-provider.js';
import { operationsOf, recover } from '../../support/app/recovery-harness.js';
import { anEvent, checkWaiting, storedOf, sendEvents, scriptNotifications } from './scripted-events.js';

/** MODEL_SEED repeats a run, GENERATED_FACTOR multiplies its length. */
const SEED = Number(process.env['MODEL_SEED'] ?? 20_261_122);
const RUNS = runs(24);

let api: TestApi;
let merchant: Merchant;
let shops = 0;

beforeAll(async () => {
  api = await startApi();
  merchant = new Merchant(await api.login());
  scriptNotifications(api);
});
afterAll(() => api.stop());

type Status = 'processing' | 'completed' | 'refunded' | 'failed';
/** When a delivery is sent: before the answer to the call, concurrently with it, after it, or after a recovery. */
type Moment = 'before' | 'with' | 'after' | 'recovered';

interface Delivery {
  status: Status;
  moment: Moment;
  match: 'reference' | 'transactionId' | 'both';
}

interface Scenario {
  deliveries: Delivery[];
  /** Sent concurrently, not one after the other. */
  isConcurrent: boolean;
  answer: 'captured' | 'open' | 'lost';
}

const deliveries = (statuses: Status[]): fc.Arbitrary<Delivery[]> => {
  const sent = statuses.map((status) =>
    fc.array(
      fc.record({
        status: fc.constant(status),
        moment: fc.constantFrom<Moment>('before', 'with', 'after', 'recovered'),
        match: fc.constantFrom<Delivery['match']>('reference', 'transactionId', 'both'),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  );
  return fc.tuple(...sent).chain((groups) => {
    const all = groups.flat();
    return fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
  });
};
const scenarios = (statuses: Status[], answers: Scenario['answer'][]): fc.Arbitrary<Scenario> =>
  fc.record({
    deliveries: deliveries(statuses),
    isConcurrent: fc.boolean(),
    answer: fc.constantFrom(...answers),
  });

/** Runs a scenario to its end. */
async function play(
  { deliveries: all, isConcurrent, answer }: Scenario,
  change: (provider: LedgerProvider) => void = () => undefined,
): Promise<{ shopId: number; payment: PaymentAnswer }> {
  const shopId = (await merchant.createShop(`Shop ${(shops += 1)}`)).id;
  await merchant.createFlow(`flow ${shopId}`, [shopId]);
  const provider = new LedgerProvider(api);
  provider.chargeAs = () => (answer === 'open' ? 'open' : 'captured');
  if (answer === 'lost') provider.fates = { charge: ['lost'] };
  change(provider);
  // one event for each status and each way to find it: a repeat of a provider has the same id and content
  const events = new Map<string, ReturnType<typeof anEvent>>();
  const send = ({ status, match }: Delivery, reference: string) => {
    const both = { reference, transactionId: `tx_${reference}` };
    const key = `${status} ${match}`;
    if (!events.has(key)) {
      const matched = match === 'both' ? both : { [match]: both[match] };
      events.set(key, anEvent({ status, match: matched, amount: '49.90', currency: 'EUR' }));
    }
    return sendEvents(merchant, shopId, [events.get(key)!]);
  };
  const at = async (moment: Moment, reference: string): Promise<void> => {
    const chosen = all.filter((delivery) => delivery.moment === moment);
    const sent = isConcurrent ? await Promise.all(chosen.map((one) => send(one, reference))) : [];
    for (const delivery of isConcurrent ? [] : chosen) sent.push(await send(delivery, reference));
    expect(sent.map(({ status }) => status)).toEqual(chosen.map(() => 200));
  };
  let crossing = Promise.resolve();
  provider.beforeAnswer = async ({ reference }) => {
    await at('before', reference);
    crossing = at('with', reference);
  };
  const { id } = await merchant.pay(`flow ${shopId}`, { payment_method: { token: 'tok_any' } });
  await crossing;
  await at('after', provider.calls[0]!.reference);
  await recover(api, [id], 1);
  await at('recovered', provider.calls[0]!.reference);
  await checkWaiting(api);
  await recover(api, [id], 1);
  return { shopId, payment: await merchant.payment(id) };
}

/** The final state for a merchant and an operator. */
async function endOf({ shopId, payment }: { shopId: number; payment: PaymentAnswer }) {
  const attempts = await merchant.api.get<{ data: { outcome: string }[] }>(`/payments/${payment.id}/attempts`);
  const operations = await operationsOf(api, payment.id);
  const rows = await storedOf(api, shopId);
  const { rows: marked } = await api.database.pool.query(
    'SELECT FROM payments WHERE id = $1 AND has_waiting_notifications',
    [payment.id],
  );
  return {
    status: payment.status,
    hasTransactionId: payment.provider_transaction_id?.startsWith('tx_') ?? false,
    wasChargedAfterEnd: payment.charged_after_end,
    outcomes: attempts.body.data.map(({ outcome }) => outcome),
    operations: operations.map(({ kind, state, is_due: isDue }) => [kind, state, isDue]),
    waiting: rows.filter(({ outcome }) => outcome === 'waiting').length,
    marked: marked.length,
    contradicted: rows.filter(({ outcome }) => outcome === 'alarm' || outcome === 'conflict').length,
  };
}

const AT_REST = { hasTransactionId: true, wasChargedAfterEnd: false, waiting: 0, marked: 0, contradicted: 0 };

describe('notifications and the answer to the charge', () => {
  it('lead to the same state in any order and number', async () => {
    await fc.assert(
      fc.asyncProperty(
        scenarios(['processing', 'completed', 'refunded'], ['captured', 'open', 'lost']),
        async (scenario) => {
          expect(await endOf(await play(scenario))).toEqual({
            ...AT_REST,
            status: 'refunded',
            outcomes: ['approved'],
            operations: [['charge', 'confirmed', false]],
          });
        },
      ),
      { seed: SEED, numRuns: RUNS },
    );
  });

  it('lead to the same state when the payment fails', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios(['processing', 'failed'], ['open']), async (scenario) => {
        expect(await endOf(await play(scenario))).toEqual({
          ...AT_REST,
          status: 'failed',
          outcomes: ['declined'],
          operations: [['charge', 'refused', false]],
        });
      }),
      { seed: SEED, numRuns: RUNS / 2 },
    );
  });

  const lost = (events: [Status, Delivery['match']][]): Scenario => ({
    deliveries: events.map(([status, match]) => ({ status, moment: 'before', match })),
    isConcurrent: false,
    answer: 'lost',
  });

  it('lead to the same state if only a look-up has the transaction id of the refund', async () => {
    const scenario = lost([
      ['completed', 'reference'],
      ['refunded', 'transactionId'],
    ]);
    expect(await endOf(await play(scenario))).toMatchObject({ ...AT_REST, status: 'refunded' });
  });

  it('override an answer that contradicts them', async () => {
    const scenario = lost([['completed', 'reference']]);
    const { payment } = await play(
      { ...scenario, answer: 'captured' },
      (provider) => (provider.chargeAs = () => 'declined'),
    );
    expect(payment).toMatchObject({ status: 'completed', provider_transaction_id: expect.stringMatching(/^tx_/) });
    expect(await operationsOf(api, payment.id)).toMatchObject([{ kind: 'charge', state: 'confirmed', reason: null }]);
  });

  it('apply a refund that is reported during the look-up', async () => {
    const { payment } = await play(lost([['completed', 'reference']]), (provider) => {
      provider.beforeLookup = async ({ shopId, reference }) => {
        provider.beforeLookup = () => Promise.resolve();
        await sendEvents(merchant, shopId, [{ status: 'refunded', match: { transactionId: `tx_${reference}` } }]);
      };
    });
    expect(payment.status).toBe('refunded');
  });

  it('close the charge once after two concurrent look-ups', async () => {
    const seen: (string | null)[] = [];
    const { payment } = await play(lost([['completed', 'reference']]), (provider) => {
      provider.beforeLookup = async ({ paymentId }) => {
        provider.beforeLookup = () => Promise.resolve();
        await recover(api, [paymentId], 1);
        seen.push((await merchant.payment(paymentId)).provider_transaction_id);
      };
    });
    // the slower one finds it closed, and changes nothing
    expect(seen).toEqual([expect.stringMatching(/^tx_/)]);
    expect(payment).toMatchObject({ status: 'completed', provider_transaction_id: seen[0] });
    expect(await operationsOf(api, payment.id)).toMatchObject([{ kind: 'charge', state: 'confirmed', is_due: false }]);
  });

  it.each(['dropped', 'none'] as const)(
    'leave a completed payment unchanged when the look-up is %s',
    async (lookup) => {
      const scenario = lost([['completed', 'reference']]);
      const { payment } = await play(scenario, (provider) => {
        if (lookup === 'none') provider.capabilities = { ...provider.capabilities, lookup };
        else provider.fates.lookup = ['dropped', 'dropped'];
      });
      const [charge] = await operationsOf(api, payment.id);
      expect(charge).toMatchObject(lookup === 'none' ? { state: 'confirmed' } : { state: 'open', is_due: true });
      await recover(api, [payment.id], 1);
      const { status, provider_transaction_id: id } = await merchant.payment(payment.id);
      expect([status, id?.startsWith('tx_')]).toEqual(['completed', lookup === 'none' ? undefined : true]);
      expect(await operationsOf(api, payment.id)).toMatchObject([
        { kind: 'charge', state: 'confirmed', is_due: false },
      ]);
    },
  );
});
