import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { aFlowOver, attemptsOf, keysOf, recordSandbox, type SandboxCall } from './failover-harness.js';

let api: TestApi;
let merchant: Merchant;
const calls: SandboxCall[] = [];
const listen = () => recordSandbox(api, undefined, calls);

beforeAll(async () => {
  api = await sharedApi();
  merchant = new Merchant(await api.login());
  listen();
});
afterEach(listen);
afterAll(() => api.stop());

/** The effect of a final answer on a payment, and whether the next shop is asked if there is one. */
const ANSWERS = (
  [
    ['tok_success', 'approved', 'completed', false, ['processing', 'completed']],
    ['tok_pending', 'processing', 'processing', false, ['processing']],
    ['tok_decline', 'declined', 'failed', false, ['processing', 'failed']],
    ['tok_soft_decline', 'soft_declined', 'failed', true, ['processing', 'failed']],
    ['tok_unavailable', 'unavailable', 'failed', true, ['failed']],
    ['tok_timeout', 'unknown', 'pending', false, []],
  ] as const
).map(([token, outcome, status, failsOver, webhooks]) => ({ token, outcome, status, failsOver, webhooks }));

const MAX_ATTEMPTS = 3;
/** The shops before the attempt with the answer. */
const EARLIER = ['tok_soft_decline', 'tok_unavailable'] as const;
const CASES = ANSWERS.flatMap((answer) => [1, 2, 3].map((number) => ({ ...answer, number })));

const callsFor = ({ id }: { id: number }) => calls.filter((call) => call.paymentId === id);
const sql = (text: string, values: unknown[] = []) => api.database.pool.query<Record<string, unknown>>(text, values);

describe('every answer at every attempt', () => {
  it.each(CASES)('$token at attempt $number', async (answer) => {
    const { token, number, outcome, failsOver } = answer;
    const tokens = [...EARLIER.slice(0, number - 1), token, 'tok_success'];
    const { flow, shops } = await aFlowOver(merchant, tokens, MAX_ATTEMPTS);
    const payment = await merchant.pay(flow, { webhook_endpoint: 'http://127.0.0.1:4000/' });

    const isLast = !failsOver || number === MAX_ATTEMPTS;
    const tried = isLast ? number : number + 1;
    const final = isLast ? answer : ANSWERS[0]!;
    const attempts = await attemptsOf(merchant, payment.id);
    expect(attempts.map((attempt) => attempt.shop.id)).toEqual(shops.slice(0, tried).map(({ id }) => id));
    expect(attempts.map((attempt) => attempt.outcome)).toEqual(
      [...['soft_declined', 'unavailable'].slice(0, number - 1), outcome, 'approved'].slice(0, tried),
    );

    // each call has its own key and transaction, and at most one of them charged
    expect(keysOf(calls, payment.id)).toHaveLength(attempts.length);
    expect(callsFor(payment).map(({ transactionId }) => transactionId)).toEqual(
      attempts.map((attempt) => attempt.provider_transaction_id),
    );
    const charged = callsFor(payment).filter(({ answer: given }) => given?.outcome === 'approved');
    expect(charged).toHaveLength(final.status === 'completed' ? 1 : 0);

    expect(payment.status).toBe(final.status);
    expect(payment.shop.id).toBe(shops[tried - 1]!.id);
    expect(payment.provider_transaction_id).toBe(attempts.at(-1)!.provider_transaction_id);
    expect((await merchant.history(payment.id)).map(({ to }) => to)).toEqual(final.webhooks);
    const deliveries = await sql(
      'SELECT d.payment_status, d.shop_id, l.shop_id AS lane_shop_id FROM all_deliveries d JOIN webhook_lanes l ON l.id = d.lane_id WHERE payment_id = $1 ORDER BY d.id',
      [payment.id],
    );
    expect(deliveries.rows).toEqual(
      final.webhooks.map((status) => ({
        payment_status: status,
        shop_id: payment.shop.id,
        lane_shop_id: payment.shop.id,
      })),
    );
  });

  it.each(ANSWERS.filter(({ failsOver }) => failsOver))(
    '$token, without max_attempts, gets no further attempt',
    async ({ token, status, outcome }) => {
      const { flow, shops } = await aFlowOver(merchant, [token, 'tok_success']);
      const payment = await merchant.pay(flow);
      expect([payment.status, payment.shop.id]).toEqual([status, shops[0]!.id]);
      expect((await attemptsOf(merchant, payment.id)).map((attempt) => attempt.outcome)).toEqual([outcome]);
    },
  );

  it('a payment ends with the last shop if there are fewer than max_attempts', async () => {
    const { flow } = await aFlowOver(merchant, ['tok_unavailable', 'tok_soft_decline'], 10);
    const payment = await merchant.pay(flow);
    expect(payment.status).toBe('failed');
    expect(payment.provider_metadata).toEqual({ decline_code: 'issuer_unavailable' });
    expect(await attemptsOf(merchant, payment.id)).toHaveLength(2);
  });

  it('an account without the payment methods counts as misconfigured, not for its approval rate or health', async () => {
    const { flow, shops } = await aFlowOver(merchant, ['tok_unknown', 'tok_success'], 2);
    for (let n = 0; n < 12; n += 1) await merchant.pay(flow);
    const report = await merchant.api.get<{ data: object }>(`/shops/${shops[0]!.id}/stats`);
    expect(report.body.data).toMatchObject({
      health: { status: 'healthy' },
      last_hour: { approved: 0, declined: 0, failed: 0, approval_rate: null },
      declines: { configuration_faults: { last_day: 12, last_week: 12 } },
    });
  });

  it('the failover skips a shop that was disabled after the decision', async () => {
    const { flow, shops } = await aFlowOver(merchant, ['tok_soft_decline', 'tok_success', 'tok_success'], 2);
    recordSandbox(api, async () => {
      await sql('UPDATE shops SET enabled = false WHERE id = $1', [shops[1]!.id]);
    });
    const payment = await merchant.pay(flow);
    expect([payment.status, payment.shop.id]).toEqual(['completed', shops[2]!.id]);
  });
});

describe('a payment that fails over to its next shop', () => {
  it('counts for its new shop', async () => {
    const { flow, shops } = await aFlowOver(merchant, ['tok_soft_decline', 'tok_unavailable', 'tok_success'], 3);
    for (let round = 0; round < 3; round++) await merchant.pay(flow, { webhook_endpoint: 'http://127.0.0.1:4000/' });
    await merchant.pay(flow);
    const { rows } = await sql(
      `SELECT s.id, coalesce(sum(c.payments), 0)::bigint AS payments, coalesce(sum(c.payments_with_webhooks), 0)::bigint AS webhooks
       FROM unnest($1::bigint[]) AS s (id) LEFT JOIN webhook_shop_counters c ON c.shop_id = s.id GROUP BY s.id ORDER BY s.id`,
      [shops.map(({ id }) => id)],
    );
    expect(rows.map((row) => [row['payments'], row['webhooks']])).toEqual([
      [0, 0],
      [0, 0],
      [4, 3],
    ]);
  });

  it('leaves the flow’s counter unchanged, because it is routed once', async () => {
    const { flow, flowId } = await aFlowOver(merchant, ['tok_unavailable', 'tok_unavailable', 'tok_success'], 3);
    await merchant.pay(flow);
    const { rows } = await sql('SELECT counter FROM flow_counters WHERE flow_id = $1', [flowId]);
    expect(rows).toEqual([{ counter: 1 }]);
  });

  it('keeps its first routing decision', async () => {
    const { flow, shops } = await aFlowOver(merchant, ['tok_unavailable', 'tok_success'], 2);
    const payment = await merchant.pay(flow);
    const { body } = await merchant.api.get<{ data: unknown }>(`/payments/${payment.id}/decision`);
    expect(body.data).toMatchObject({
      flow_version: 1,
      strategy: 'priority',
      shops: shops.map(({ id }) => id),
      picked: shops[0]!.id,
      fallbacks: [shops[1]!.id],
      reasoning: { by: 'priority' },
    });
  });
});

describe('a notification about an attempt that was failed over', () => {
  const stored = async (id: string) =>
    (await sql('SELECT payment_id, outcome, reason FROM provider_notifications WHERE notification_id = $1', [id])).rows;

  it('changes nothing when it arrives during the failover', async () => {
    const { flow } = await aFlowOver(merchant, ['tok_soft_decline', 'tok_success'], 2);
    for (let round = 0; round < 4; round++) {
      const notified: Promise<{ status: number; body: unknown }>[] = [];
      recordSandbox(api, async ({ paymentId, transactionId }, number) => {
        if (number !== 1) return;
        const body = JSON.stringify({
          id: `evt_first_${paymentId}`,
          provider_transaction_id: transactionId,
          status: 'completed',
        });
        const { rows } = await sql('SELECT shop_id FROM payments WHERE provider_transaction_id = $1', [transactionId]);
        notified.push(merchant.sendNotification(Number(rows[0]!['shop_id']), body));
      });
      const payment = await merchant.pay(flow);
      for (const answer of await Promise.all(notified)) expect(answer.status).toBe(200);
      const attempts = await attemptsOf(merchant, payment.id);
      const { status } = await merchant.payment(payment.id);
      // either the notification was first, and no other shop was asked; or the next shop was, and it came too late
      const [{ reason } = { reason: undefined }] = await stored(`evt_first_${payment.id}`);
      expect(status).toBe('completed');
      expect([attempts.length, reason]).toEqual(attempts.length === 1 ? [1, null] : [2, 'attempt_superseded']);
    }
  });
});

describe('a cancellation during a failover', () => {
  it('leaves a payment either cancelled without a charge, or not cancelled', async () => {
    const { flow } = await aFlowOver(merchant, ['tok_soft_decline', 'tok_unavailable', 'tok_success'], 3);
    for (let round = 0; round < 6; round++) {
      const cancelled: Promise<{ status: number }>[] = [];
      recordSandbox(api, ({ paymentId }, number) => {
        if (number === (round % 3) + 1) {
          cancelled.push(merchant.api.post(`/payments/${paymentId}/cancel`));
        }
        return Promise.resolve();
      });
      const { id } = await merchant.pay(flow);
      const [{ status: answer } = { status: 0 }] = await Promise.all(cancelled);
      const { status } = await merchant.payment(id);
      const history = await merchant.history(id);
      expect(status).toBe(answer === 200 ? 'cancelled' : 'completed');
      expect(history.at(-1)!.to).toBe(status);
      const outcomes = (await attemptsOf(merchant, id)).map(({ outcome }) => outcome);
      expect(outcomes).not.toContain(null);
    }
  });

  it('stops the failover', async () => {
    const { flow } = await aFlowOver(merchant, ['tok_soft_decline', 'tok_success'], 2);
    recordSandbox(api, async ({ paymentId }) => {
      await merchant.api.post(`/payments/${paymentId}/cancel`);
    });
    const payment = await merchant.pay(flow);
    expect(payment.status).toBe('cancelled');
    // the void was first, so the sandbox refuses the later charge under the reference
    expect(await attemptsOf(merchant, payment.id)).toMatchObject([{ outcome: 'declined', decline_code: 'voided' }]);
  });
});

describe('an idempotent repeat', () => {
  const payUnder = (flow: string, key: string) => merchant.tryPay(flow, {}, { 'idempotency-key': key });
  const simulate = (shopId: number, token: string) =>
    merchant.api.patch(`/shops/${shopId}`, {
      provider_credentials: { notification_secret: 'x'.repeat(16), simulate: token },
    });
  /** Simulates a dead process: no answer was stored, and its lock has expired. */
  const die = (key: string) =>
    sql(`UPDATE idempotency_keys SET response_body = NULL, locked_until = now() - interval '1 s' WHERE key = $1`, [
      key,
    ]);
  const dataIn = ({ body }: { body: unknown }) => (body as { data: PaymentAnswer }).data;

  /** Pays with a key; the answer is treated as lost. */
  const payFirst = async (key: string, ...tokens: string[]) => {
    const { flow, shops } = await aFlowOver(merchant, tokens, tokens.length);
    return { flow, shops, first: dataIn(await payUnder(flow, key)) };
  };

  it('resumes at the shop that the payment had failed over to', async () => {
    const { flow, shops, first } = await payFirst('failed-over', 'tok_soft_decline', 'tok_timeout', 'tok_success');
    await die('failed-over');
    await simulate(shops[1]!.id, 'tok_success');
    const again = dataIn(await payUnder(flow, 'failed-over'));
    expect([again.id, again.status, again.shop.id]).toEqual([first.id, 'completed', shops[1]!.id]);
    const [first1, second1, second2] = callsFor(first).map((call) => call.key);
    expect(callsFor(first)).toHaveLength(3);
    expect(second2).toBe(second1);
    expect(second1).not.toBe(first1);
  });

  it('keeps a request without its key from a further attempt', async () => {
    const { flow } = await aFlowOver(merchant, ['tok_soft_decline', 'tok_success'], 2);
    recordSandbox(api, async () => {
      await sql(`UPDATE idempotency_keys SET lock_version = lock_version + 1 WHERE key = 'lost'`);
    });
    const answer = await payUnder(flow, 'lost');
    expect(answer.body).toMatchObject({ status: 409, code: 'idempotency_key_in_flight' });
    const { rows } = await sql(`SELECT payment_id FROM idempotency_keys WHERE key = 'lost'`);
    const attempts = await attemptsOf(merchant, Number(rows[0]!['payment_id']));
    expect(attempts.map(({ outcome }) => outcome)).toEqual([null]);
  });
});
