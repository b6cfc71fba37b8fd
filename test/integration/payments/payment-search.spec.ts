import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../support/app/api-app.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { sharedCheckout } from './checkout.js';

let api: TestApi;
let merchant: Merchant;
let other: Merchant;

beforeAll(async () => {
  ({ api, merchant } = await sharedCheckout());
  other = new Merchant(await api.loginAsAnotherMerchant());
  await other.createFlow('checkout', [(await other.createShop('B')).id]);
});
afterAll(() => api.stop());

const pay = (fields: Record<string, unknown> = {}, owner = merchant): Promise<PaymentAnswer> =>
  owner.pay('checkout', fields);
const payWith = async (metadata: object, owner = merchant): Promise<number> => (await pay({ metadata }, owner)).id;
const customerOf = ({ customer }: PaymentAnswer): number => customer!['id'] as number;

async function listed(query: string, client: ApiClient = merchant.api): Promise<number[]> {
  return dataOf<{ id: number }[]>(await client.get(`/payments?${query}`)).map(({ id }) => id);
}
const byMetadata = (key: string, value: unknown, client = merchant.api): Promise<number[]> =>
  listed(`metadata[${encodeURIComponent(key)}]=${encodeURIComponent(String(value))}`, client);

interface Found {
  payments: number[];
  customers: number[];
  refunds: number[];
}
async function found(text: string | number, client = merchant.api): Promise<Found> {
  const answer = await client.get(`/search?q=${encodeURIComponent(text)}`);
  const data = dataOf<Record<keyof Found, { id: number }[]>>(answer);
  const ids = (kind: keyof Found): number[] => data[kind].map(({ id }) => id);
  return { payments: ids('payments'), customers: ids('customers'), refunds: ids('refunds') };
}
const NOTHING: Found = { payments: [], customers: [], refunds: [] };

const termsOf = async (paymentId: number): Promise<number> =>
  (await api.database.pool.query('SELECT FROM payment_terms WHERE payment_id = $1', [paymentId])).rowCount!;

describe('payments by metadata', () => {
  it.each([
    ['a text', 'Ordnung ☃ 7/8'],
    ['a number', 1e21],
    ['a decimal', 49.9],
    ['a negative number', -1],
    ['a boolean', false],
    ['a text of 128 characters', '☃'.repeat(128)],
  ])('match %s', async (_, value) => {
    const id = await payWith({ exact: value });
    expect(await byMetadata('exact', value)).toEqual([id]);
    expect(await byMetadata('exact', `${String(value)}x`.slice(-128))).toEqual([]);
    expect(await byMetadata('other', value)).toEqual([]);
  });

  it('match the first ten values, no longer texts and no objects', async () => {
    const keys = Array.from({ length: 11 }, (_, index) => `key ${index}`);
    const id = await payWith({
      list: ['many'],
      long: 'm'.repeat(129),
      object: { a: 'many' },
      ...Object.fromEntries(keys.map((key) => [key, 'many'])),
    });
    for (const key of keys.slice(0, 10)) expect(await byMetadata(key, 'many')).toEqual([id]);
    for (const key of ['key 10', 'list', 'object', 'a']) expect(await byMetadata(key, 'many')).toEqual([]);
    expect(await byMetadata('object', '{"a":"many"}')).toEqual([]);
    expect(await termsOf(id)).toBe(10);
  });

  it('pages come newest first, together with other filters', async () => {
    const ids: number[] = [];
    for (const reference of ['one', 'two', 'one', 'one', 'two'])
      ids.unshift((await pay({ metadata: { batch: 'pages' }, customer: { reference } })).id);
    const pages: number[][] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await merchant.api.get(
        `/payments?metadata[batch]=pages&limit=2${cursor && `&cursor=${cursor}`}`,
      );
      const page = body as { data: { id: number }[]; pagination: { next_cursor: string | null } };
      pages.push(page.data.map(({ id }) => id));
      cursor = page.pagination.next_cursor;
    }
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(await listed('metadata[batch]=pages&customer_reference=two')).toEqual([ids[0], ids[3]]);
    expect(await listed('metadata[batch]=pages&status=failed')).toEqual([]);
    expect(await listed('metadata[batch]=other&customer_reference=two')).toEqual([]);
  });

  it('each merchant finds its own', async () => {
    const ids = [await payWith({ order: 'the same' }), await payWith({ order: 'the same' }, other)];
    expect(await byMetadata('order', 'the same')).toEqual([ids[0]]);
    expect(await byMetadata('order', 'the same', other.api)).toEqual([ids[1]]);
    expect((await found('the same')).payments).toEqual([ids[0]]);
  });

  it('a payment does not match that only has the same hashes', async () => {
    const [wanted, wrong, foreign] = [
      await payWith({ order: 'hashed' }),
      await payWith({ order: 'unrelated' }),
      await payWith({ order: 'hashed' }, other),
    ];
    for (const id of [wrong, foreign])
      await api.database.pool.query(
        'INSERT INTO payment_terms SELECT value_hash, $2::bigint, key_hash FROM payment_terms WHERE payment_id = $1',
        [wanted, id],
      );
    expect(await byMetadata('order', 'hashed')).toEqual([wanted]);
    expect(await found('hashed')).toEqual({ ...NOTHING, payments: [wanted] });
  });

  it('stay findable after their status has changed, and no term is written again', async () => {
    const payment = await pay({ metadata: { order: 'changed' } });
    const place = 'SELECT ctid, xmin FROM payment_terms WHERE payment_id = $1';
    const before = (await api.database.pool.query(place, [payment.id])).rows;
    dataOf(await merchant.api.post(`/payments/${payment.id}/refund`));
    expect((await api.database.pool.query(place, [payment.id])).rows).toEqual(before);
    expect(await byMetadata('order', 'changed')).toEqual([payment.id]);
  });

  it.each([
    'metadata[]=x',
    'metadata=x',
    'metadata[a]=',
    'metadata[a]=x&metadata[a]=y',
    'metadata=["a"]',
    'metadata={}',
    'metadata={"a":{}}',
    'metadata={"a":"%5Cu0000"}',
    'metadata={"__proto__":"x"}',
    'metadata={"a":"x"}&metadata[b]=y',
    'metadata[__proto__]=x',
    'metadata[a]=%00',
    `metadata[a]=${'x'.repeat(129)}`,
    `metadata[${'k'.repeat(256)}]=x`,
    'metadata[a]=x&metadata=y',
    'status[a]=completed',
    '__proto__[a]=x',
    'toString[a]=x',
  ])('refuses %s', async (query) => {
    const { status, body } = await merchant.api.get(`/payments?${query}`);
    expect([status, body]).toMatchObject([400, { code: 'malformed_request' }]);
  });
});

describe('payments and customers by e-mail address', () => {
  it("match the customer's present address in any case", async () => {
    const email = 'Ada.Lovelace@example.com';
    const [first, second] = [
      await pay({ customer: { email } }),
      await pay({ customer: { email: email.toLowerCase() } }),
    ];
    await pay({ customer: { email } }, other);
    const latest = await pay({ customer_id: customerOf(first) });
    const ids = [latest.id, second.id, first.id];
    for (const text of [email, email.toUpperCase()]) {
      const query = `customer_email=${encodeURIComponent(text)}`;
      expect(await listed(query)).toEqual(ids);
      expect(await listed(`${query}&limit=2`)).toEqual(ids.slice(0, 2));
      expect(await listed(`${query}&status=failed`)).toEqual([]);
      const customers = dataOf<{ id: number }[]>(
        await merchant.api.get(`/customers?email=${encodeURIComponent(text)}`),
      );
      expect(customers.map(({ id }) => id)).toEqual([customerOf(second), customerOf(first)]);
      expect(await found(text)).toEqual({
        ...NOTHING,
        payments: ids,
        customers: [customerOf(second), customerOf(first)],
      });
    }
  });

  it('follow a change of the address', async () => {
    const payment = await pay({ customer: { reference: 'moved', email: 'old@example.com' } });
    await pay({ customer: { reference: 'moved', email: 'new@example.com' } });
    expect(await listed('customer_email=old@example.com')).toEqual([]);
    expect(await listed('customer_email=new@example.com')).toContain(payment.id);
  });
});

describe('GET /search', () => {
  it('finds payments, customers and refunds by each of their ids', async () => {
    const metadata = { order_id: 'order of a search' };
    const payment = await pay({ metadata, customer: { reference: 'reference of a search' } });
    dataOf(await merchant.api.post(`/payments/${payment.id}/refund`));
    const [refund] = dataOf<{ id: number; provider_refund_id: string }[]>(
      await merchant.api.get(`/payments/${payment.id}/refunds`),
    );
    const { payment_session_id: session, provider_transaction_id: transaction } = payment;
    const payments = [payment.id];
    for (const text of [session, transaction, metadata.order_id])
      expect(await found(text)).toEqual({ ...NOTHING, payments });
    expect(await found('reference of a search')).toEqual({ ...NOTHING, payments, customers: [customerOf(payment)] });
    expect(await found(refund!.provider_refund_id)).toEqual({ ...NOTHING, refunds: [refund!.id] });
    expect((await found(payment.id)).payments[0]).toBe(payment.id);
    expect((await found(customerOf(payment))).customers[0]).toBe(customerOf(payment));
    expect((await found(refund!.id)).refunds[0]).toBe(refund!.id);
    const texts = [session, transaction, refund!.provider_refund_id, payment.id, customerOf(payment), refund!.id];
    const answers = await Promise.all(texts.map((text) => found(text, other.api)));
    expect(answers.flatMap((each) => each.payments)).not.toContain(payment.id);
    expect(answers.flatMap((each) => each.customers)).not.toContain(customerOf(payment));
    expect(answers.flatMap((each) => each.refunds)).not.toContain(refund!.id);
  });

  it('lists a match of an id before newer matches of metadata, and at most five', async () => {
    const payment = await pay();
    const later: number[] = [];
    for (const key of ['a', 'b', 'a', 'b', 'c', 'a']) later.unshift(await payWith({ [key]: payment.id }));
    expect((await found(payment.id)).payments).toEqual([payment.id, ...later.slice(0, 4)]);
    expect((await found(payment.payment_session_id)).payments).toEqual([payment.id]);
  });

  it.each(['', 'q=', 'q=a&q=b', `q=${'x'.repeat(256)}`, 'q=%00', 'q[a]=b'])('refuses %s', async (query) => {
    const { body } = await merchant.api.get(`/search?${query}`);
    expect(body).toMatchObject({ code: 'malformed_request', errors: [{ field: 'q' }] });
  });

  it('finds nothing for unknown texts and ids', async () => {
    for (const text of ['unknown', '0', '9007199254740991', '9007199254740993', '-2', "' OR 1=1"])
      expect(await found(text)).toEqual(NOTHING);
  });
});

describe('GET /customers', () => {
  it('lists customers newest first, in pages, and each by its reference', async () => {
    const ids: number[] = [];
    for (const n of [1, 2, 3])
      ids.unshift(customerOf(await pay({ customer: { reference: `list ${n}`, city: 'Oslo' } })));
    await pay({ customer: { reference: 'list 1' } }, other);
    const { body } = await merchant.api.get('/customers?limit=2');
    const page = body as { data: { id: number }[]; pagination: { next_cursor: string } };
    expect(page.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const [next] = dataOf<{ id: number }[]>(
      await merchant.api.get(`/customers?limit=1&cursor=${page.pagination.next_cursor}`),
    );
    expect(next!.id).toBe(ids[2]);
    const answer = {
      id: ids[2],
      reference: 'list 1',
      city: 'Oslo',
      created_at: expect.stringMatching(/Z$/),
      erased_at: null,
      payments_url: `/payments?customer_id=${ids[2]}`,
    };
    expect(dataOf(await merchant.api.get('/customers?reference=list%201'))).toEqual([answer]);
    expect(dataOf(await merchant.api.get(`/customers/${ids[2]}`))).toEqual(answer);
    expect(dataOf(await merchant.api.get('/customers?reference=list%201&email=ada@example.com'))).toEqual([]);
    expect((await other.api.get(`/customers/${ids[2]}`)).status).toBe(404);
  });

  it('needs the scope of payments', async () => {
    const client = await api.login('payments:write');
    for (const path of ['/customers', '/customers/1', '/search?q=1']) expect((await client.get(path)).status).toBe(403);
  });
});

describe('payments by several values of metadata', () => {
  it('every listed payment has all of them, given as JSON or one by one', async () => {
    const both = await payWith({ order: 'several', channel: 'web', n: 7 });
    const one = await payWith({ order: 'several', channel: 'app', n: 7 });
    const json = (pairs: object) => listed(`metadata=${encodeURIComponent(JSON.stringify(pairs))}`);
    expect(await json({ order: 'several' })).toEqual([one, both]);
    expect(await json({ order: 'several', n: 7, channel: 'web' })).toEqual([both]);
    expect(await json({ order: 'several', channel: 'web', missing: 'x' })).toEqual([]);
    expect(await listed('metadata[order]=several&metadata[channel]=app')).toEqual([one]);
  });
});

describe('PATCH /payments/{id}', () => {
  const patch = (id: number, metadata: unknown, client = merchant.api) =>
    client.patch<{ code?: string }>(`/payments/${id}`, { metadata });

  it('replaces the metadata, which searches, lists and later changes of the payment follow', async () => {
    const payment = await pay({ metadata: { order: 'before the patch', kept: 'x' } });
    const changed = dataOf<PaymentAnswer>(await patch(payment.id, { order: 'after the patch' }));
    expect(changed).toEqual({
      ...payment,
      metadata: { order: 'after the patch' },
      updated_at: expect.not.stringMatching(payment.updated_at),
    });
    expect(await byMetadata('order', 'before the patch')).toEqual([]);
    expect(await found('before the patch')).toEqual(NOTHING);
    expect(await byMetadata('order', 'after the patch')).toEqual([payment.id]);
    expect(await listed(`updated_from=${changed.updated_at}&metadata[order]=after the patch`)).toEqual([payment.id]);
    expect(await listed(`updated_from=${payment.updated_at}&metadata[kept]=x`)).toEqual([]);
    dataOf(await merchant.api.post(`/payments/${payment.id}/refund`));
    expect((await merchant.payment(payment.id)).metadata).toEqual({ order: 'after the patch' });
    dataOf(await patch(payment.id, {}));
    expect(await termsOf(payment.id)).toBe(0);
  });

  it('gives a payment without metadata its first terms, and leaves an entry in the audit log without values', async () => {
    const payment = await pay();
    dataOf(await patch(payment.id, { order: 'patched in' }));
    expect(await byMetadata('order', 'patched in')).toEqual([payment.id]);
    const entries = dataOf<object[]>(await merchant.api.get(`/audit?object_type=payment&object_id=${payment.id}`));
    expect(entries).toMatchObject([{ action: 'payment.updated', fields: ['metadata'], details: {} }]);
  });

  it('changes no payment of another merchant or of an erased customer', async () => {
    const payment = await pay({ customer: { reference: 'erased before the patch' } });
    expect((await patch(payment.id, { a: 1 }, other.api)).body).toMatchObject({ code: 'payment_not_found' });
    dataOf(await merchant.api.post(`/customers/${customerOf(payment)}/erase`));
    expect((await patch(payment.id, { a: 1 })).body).toMatchObject({ code: 'customer_erased' });
    expect((await merchant.payment(payment.id)).metadata).toEqual({});
  });

  it('loses what it wrote to an erasure that follows', async () => {
    const payment = await pay({ customer: { reference: 'erased after the patch' } });
    dataOf(await patch(payment.id, { order: 'erased after the patch' }));
    dataOf(await merchant.api.post(`/customers/${customerOf(payment)}/erase`));
    expect([(await merchant.payment(payment.id)).metadata, await termsOf(payment.id)]).toEqual([{}, 0]);
  });

  it.each([[undefined], ['x'], [[]]])('refuses the metadata %j', async (metadata) => {
    expect((await patch((await pay()).id, metadata)).body).toMatchObject({ code: 'validation_failed' });
  });
});

describe('an erasure', () => {
  it('removes the terms and the addresses, also while searches run', async () => {
    const email = 'erased@example.com';
    const first = await pay({ customer: { reference: 'erased', email }, metadata: { order: 'of the erased', n: 1 } });
    const payments = [first];
    for (const n of [2, 3])
      payments.push(await pay({ customer: { reference: 'erased' }, metadata: { order: 'of the erased', n } }));
    const ids = payments.map(({ id }) => id).reverse();
    expect(await byMetadata('order', 'of the erased')).toEqual(ids);
    const searches = Promise.all(
      Array.from({ length: 10 }, () => Promise.all([found('of the erased'), byMetadata('order', 'of the erased')])),
    );
    dataOf(await merchant.api.post(`/customers/${customerOf(first)}/erase`));
    for (const [box, list] of await searches) {
      // a batch of an erasure is one transaction, which a search sees as a whole
      expect([[], ids]).toContainEqual(box.payments);
      expect([[], ids]).toContainEqual(list);
    }
    for (const id of ids) expect(await termsOf(id)).toBe(0);
    for (const text of [email, 'erased', 'of the erased']) expect(await found(text)).toEqual(NOTHING);
    expect(await listed(`customer_email=${email}`)).toEqual([]);
    expect(dataOf(await merchant.api.get(`/customers?email=${email}`))).toEqual([]);
    expect(dataOf(await merchant.api.get(`/customers/${customerOf(first)}`))).toMatchObject({
      erased_at: expect.stringMatching(/Z$/),
    });
  });
});
