import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';

interface Customer {
  id: number;
  reference?: string;
  email?: string;
  city?: string;
}

let api: TestApi;
let merchant: Merchant;
let made = 0;
const newReference = (): string => `user-${++made}`;

beforeAll(async () => {
  api = await sharedApi();
  merchant = new Merchant(await api.login());
  await createFlows(merchant);
});
afterAll(() => api.stop());

async function createFlows(owner: Merchant): Promise<void> {
  const shops: { shop_id: number }[] = [];
  for (const name of ['Oslo', 'Bergen', 'Tromsø']) shops.push({ shop_id: (await owner.createShop(name)).id });
  const ids = shops.map(({ shop_id: id }) => id);
  dataOf(await owner.api.post('/flows', { name: 'sticky', strategy: 'sticky', shops }));
  const rules = [{ when: { customer_id: { exists: true } }, use: { shops: [ids[2]], strategy: 'round_robin' } }];
  const otherwise = { shops: ids.slice(0, 2), strategy: 'round_robin' };
  dataOf(await owner.api.post('/flows', { name: 'known', strategy: 'rules', shops, rules, default: otherwise }));
  await owner.createFlow('turns', ids);
}

const customerOf = (payment: PaymentAnswer): Customer => payment.customer as unknown as Customer;
const storedCustomers = async (): Promise<number> => {
  const { rows } = await api.database.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM customers');
  return rows[0]!.count;
};

describe('routing of a new customer', () => {
  it.each(['sticky', 'known'])('sends the first payment to the shop of its later ones (%s)', async (flow) => {
    for (let customers = 0; customers < 8; customers++) {
      const first = await merchant.pay(flow, { customer: { email: `new-${++made}@example.com` } });
      const later = await merchant.pay(flow, { customer_id: customerOf(first).id });
      expect([later.shop, later.customer]).toEqual([first.shop, first.customer]);
    }
  });

  it('sends concurrent new customers to the shops of their later payments', async () => {
    const firsts = await Promise.all(Array.from({ length: 12 }, () => merchant.pay('sticky', { customer: {} })));
    expect(new Set(firsts.map((first) => customerOf(first).id)).size).toBe(firsts.length);
    for (const first of firsts) {
      expect((await merchant.pay('sticky', { customer_id: customerOf(first).id })).shop).toEqual(first.shop);
    }
  });
});

describe('a customer with a reference', () => {
  it('stays the same customer in later payments, in any flow', async () => {
    const reference = newReference();
    const first = await merchant.pay('sticky', { customer: { reference, email: 'ada@example.com' } });
    expect(first.customer).toEqual({ id: expect.any(Number), reference, email: 'ada@example.com' });
    for (const flow of ['sticky', 'turns']) {
      expect((await merchant.pay(flow, { customer: { reference } })).customer).toEqual(first.customer);
    }
    expect((await merchant.pay('sticky', { customer: { reference } })).shop).toEqual(first.shop);
    expect((await merchant.payment(first.id)).customer).toEqual(first.customer);
  });

  it('takes over the fields of a later payment, and keeps the others', async () => {
    const reference = newReference();
    const { customer } = await merchant.pay('turns', { customer: { reference, email: 'a@example.com', city: 'Oslo' } });
    const later = await merchant.pay('turns', { customer: { reference, email: 'b@example.com' } });
    expect(later.customer).toEqual({ ...customer, email: 'b@example.com' });
  });

  it('becomes one customer when its first payments are concurrent', async () => {
    const reference = newReference();
    const before = await storedCustomers();
    const payments = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        merchant.pay('sticky', { customer: { reference, email: `ada-${index}@example.com` } }),
      ),
    );
    expect(new Set(payments.map((payment) => customerOf(payment).id)).size).toBe(1);
    expect(new Set(payments.map(({ shop }) => shop.id)).size).toBe(1);
    expect(await storedCustomers()).toBe(before + 1);
  });

  it('becomes a new customer after an erasure', async () => {
    const reference = newReference();
    const first = customerOf(await merchant.pay('sticky', { customer: { reference, email: 'ada@example.com' } }));
    dataOf(await merchant.api.post(`/customers/${first.id}/erase`));
    const next = customerOf(await merchant.pay('sticky', { customer: { reference } }));
    expect(next).toEqual({ id: expect.any(Number), reference });
    expect(next.id).not.toBe(first.id);
    const { rows } = await api.database.pool.query('SELECT reference, email FROM customers WHERE id = $1', [first.id]);
    expect(rows).toEqual([{ reference: null, email: null }]);
  });

  it('differs between merchants', async () => {
    const reference = newReference();
    const otherMerchant = new Merchant(await api.loginAsAnotherMerchant());
    await createFlows(otherMerchant);
    const own = customerOf(await merchant.pay('sticky', { customer: { reference, email: 'ada@example.com' } }));
    const other = customerOf(await otherMerchant.pay('sticky', { customer: { reference } }));
    expect(other).toEqual({ id: expect.any(Number), reference });
    expect(other.id).not.toBe(own.id);
  });

  it('stays the same customer after a payment without a flow', async () => {
    const reference = newReference();
    const before = await storedCustomers();
    expect((await merchant.tryPay('nowhere', { customer: { reference } })).status).toBe(404);
    await merchant.pay('turns', { customer: { reference } });
    expect(await storedCustomers()).toBe(before + 1);
  });

  it('keeps its reference out of webhooks', async () => {
    const reference = newReference();
    const payment = await merchant.pay('turns', {
      customer: { reference },
      webhook_endpoint: 'https://merchant.example/webhooks',
    });
    const deliveries = await api.deliveriesOf(payment.id);
    expect(deliveries.length).toBeGreaterThan(0);
    for (const { request_body: body } of deliveries) expect(body).not.toContain(reference);
  });
});

describe('the telephone number of a customer', () => {
  it.each([
    '+1 555 555 0100',
    '(030) 123456',
    '+49 30/1234567',
    '+1 555 555 0100 x12',
    '+44\u00a020\u00a07946\u00a00958',
    '+1\u2011555\u20110100',
    '\u202a+1 555 0100\u202c',
    '٠١٢٣٤٥٦',
    'none',
    '1',
    '',
    '5'.repeat(255),
  ])('keeps its form when it is stored and sent: %j', async (phone) => {
    const payment = await merchant.pay('turns', {
      customer: { phone },
      webhook_endpoint: 'https://merchant.example/webhooks',
    });
    expect(payment.customer).toMatchObject({ phone });
    const [delivery] = await api.deliveriesOf(payment.id);
    expect(JSON.parse(delivery!.request_body)).toMatchObject({ customer: { phone } });
  });

  it('loses its control characters', async () => {
    const { customer } = await merchant.pay('turns', { customer: { phone: '\t+49 30\r\n123456\u0085\u0007' } });
    expect(customer).toMatchObject({ phone: '+49 30123456' });
  });

  it.each([123456, ['+49'], 'x'.repeat(256)])(
    'causes an error that names the field if it is invalid: %j',
    async (phone) => {
      const { status, body } = await merchant.tryPay('turns', { customer: { phone } });
      expect([status, body]).toMatchObject([422, { errors: [{ field: 'customer.phone' }] }]);
    },
  );
});

describe('a customer without a reference', () => {
  it('becomes a new customer with each payment, even with a known e-mail address', async () => {
    const pay = () => merchant.pay('turns', { customer: { email: 'shared@example.com' } });
    expect(customerOf(await pay()).id).not.toBe(customerOf(await pay()).id);
  });
});
