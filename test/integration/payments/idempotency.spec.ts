import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IdempotencyService } from '../../../src/platform/idempotency/idempotency.service.js';
import { MoneyService } from '../../../src/payments/store/money.service.js';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import type { TestApi } from '../../support/app/api-app.js';
import type { ApiResponse } from '../../support/app/api-client.js';
import { Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { sharedCheckout } from './checkout.js';

let api: TestApi;
let merchant: Merchant;
let flowId: number;

beforeAll(async () => {
  const checkout = await sharedCheckout(['A', 'B']);
  ({ api, merchant } = checkout);
  flowId = checkout.flow.id;
});
afterAll(() => api.stop());

const pay = (key: string, fields: Record<string, unknown> = {}) =>
  merchant.tryPay('checkout', fields, { 'idempotency-key': key });
const idOf = (response: { body: unknown }) => (response.body as { data: PaymentAnswer }).data.id;
const sql = (text: string, values: unknown[] = []) => api.database.pool.query<Record<string, unknown>>(text, values);
const counter = async () =>
  Number((await sql('SELECT counter FROM flow_counters WHERE flow_id = $1', [flowId])).rows[0]!['counter']);

/** A lock lasts for 5 s after its claim; a heartbeat extends it. */
const lockOf = (key: string) =>
  sql(
    `SELECT locked_until > created_at + interval '5.5 s' AS is_renewed FROM idempotency_keys
     WHERE key = $1 AND response_body IS NULL`,
    [key],
  );

/** Simulates a dead process: no answer was stored, and its lock has expired. */
const forgetAnswer = (key: string) =>
  sql(`UPDATE idempotency_keys SET response_body = NULL, locked_until = now() - interval '1 s' WHERE key = $1`, [key]);

describe('Idempotency-Key', () => {
  it('returns the first answer again, byte for byte', async () => {
    const before = await counter();
    const first = await pay('replay', { metadata: { b: 1, a: 2 } });
    const second = await pay('replay', { metadata: { a: 2, b: 1 } });
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(await counter()).toBe(before + 1);
  });

  it('returns the first answer even if the payment has changed since', async () => {
    const first = await pay('moved');
    await merchant.api.post(`/payments/${idOf(first)}/refund`);
    expect((await pay('moved')).body).toEqual(first.body);
  });

  /** Keeps the next charge from an answer until the returned function is called. */
  const holdNextCharge = (): (() => void) => {
    const sandbox = api.get(SandboxProvider);
    const charge = sandbox.charge.bind(sandbox);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    sandbox.charge = async (...given) => {
      sandbox.charge = charge;
      await released;
      return charge(...given);
    };
    return release;
  };

  it('makes one payment of many concurrent requests', async () => {
    const before = await counter();
    const release = holdNextCharge();
    const refused: ApiResponse[] = [];
    const answers = Array.from({ length: 10 }, async () => {
      const answer = await pay('race');
      if (answer.status !== 201) refused.push(answer);
      return answer.status;
    });
    await eventually(() => expect(refused).toHaveLength(9));
    release();
    for (const answer of refused) expect(answer.body).toMatchObject({ status: 409, code: 'idempotency_key_in_flight' });
    expect((await Promise.all(answers)).filter((status) => status === 201)).toHaveLength(1);
    expect(await counter()).toBe(before + 1);
  });

  it('stays with a request that waits for its provider longer than a lock lasts', async () => {
    const release = holdNextCharge();
    const first = pay('waits');
    await eventually(async () => expect((await lockOf('waits')).rows).toEqual([{ is_renewed: false }]));
    await eventually(async () => expect((await lockOf('waits')).rows).toEqual([{ is_renewed: true }]));
    expect((await pay('waits')).body).toMatchObject({ code: 'idempotency_key_in_flight' });
    release();
    expect((await first).status).toBe(201);
  });

  it('expires after a request that failed in the middle', async () => {
    const money = api.get(MoneyService);
    money.applyAnswer = () => Promise.reject(new Error('the test fails it'));
    const first = await pay('fails');
    Reflect.deleteProperty(money, 'applyAnswer');
    expect(first.status).toBe(500);
    expect((await lockOf('fails')).rows).toEqual([{ is_renewed: false }]);
    expect(Reflect.get(api.get(IdempotencyService), 'held')).toEqual(new Map());
    expect((await pay('fails')).body).toMatchObject({ code: 'idempotency_key_in_flight' });
    await sql(`UPDATE idempotency_keys SET locked_until = now() - interval '1 s' WHERE key = 'fails'`);
    expect((await pay('fails')).status).toBe(201);
  });

  it('refuses the same key with another body', async () => {
    await pay('other-body');
    expect((await pay('other-body', { amount: 1 })).body).toMatchObject({
      status: 422,
      code: 'idempotency_key_reused',
    });
  });

  it('belongs to one client', async () => {
    const other = new Merchant(await api.loginAsAnotherMerchant());
    await other.createFlow('checkout', [(await other.createShop('C')).id]);
    const mine = await pay('shared-key');
    const theirs = await other.tryPay('checkout', {}, { 'idempotency-key': 'shared-key' });
    expect(theirs.status).toBe(201);
    expect(idOf(theirs)).not.toBe(idOf(mine));
  });

  it('becomes free after a request that made no payment', async () => {
    const refused = await merchant.tryPay('later', {}, { 'idempotency-key': 'retry-me' });
    expect(refused.status).toBe(404);
    await merchant.createFlow('later', [(await merchant.createShop('D')).id]);
    expect((await merchant.tryPay('later', {}, { 'idempotency-key': 'retry-me' })).status).toBe(201);
  });

  it('resumes the payment of a process that died before the provider answered', async () => {
    const first = await pay('died-after-insert', { payment_method: { token: 'tok_timeout' } });
    await forgetAnswer('died-after-insert');
    const again = await pay('died-after-insert', { payment_method: { token: 'tok_timeout' } });
    expect([again.status, idOf(again)]).toEqual([201, idOf(first)]);
  });

  it('answers with the payment of a process that died before it stored its answer', async () => {
    const first = await pay('died-before-answer');
    await forgetAnswer('died-before-answer');
    expect((await pay('died-before-answer')).body).toEqual(first.body);
  });

  it('starts from scratch after a process that died before the payment was inserted', async () => {
    const model = await pay('replay-model');
    await sql(
      `INSERT INTO idempotency_keys (client_id, key, merchant_id, request_hash, locked_until)
       SELECT client_id, 'died-early', merchant_id, request_hash, now() - interval '1 s' FROM idempotency_keys WHERE key = 'replay-model'`,
    );
    const answer = await pay('died-early');
    expect(answer.status).toBe(201);
    expect(idOf(answer)).not.toBe(idOf(model));
  });

  it('becomes free after seven days', async () => {
    const first = await pay('old');
    await sql(`UPDATE idempotency_keys SET created_at = now() - interval '169 h' WHERE key = 'old'`);
    const second = await pay('old', { amount: 1 });
    expect(second.status).toBe(201);
    expect(idOf(second)).not.toBe(idOf(first));
  });

  it.each(['', ' ', 'x'.repeat(256), 'with space'])('refuses %j', async (key) => {
    expect((await pay(key)).body).toMatchObject({ status: 400, errors: [{ field: 'Idempotency-Key' }] });
  });
});
