import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@payment-orchestrator/client';
import { find, type Reader } from './find';

const WEBHOOK_ID = 'whd_019aa3f2-1d80-7c3e-b1f4-6a0d2c9e8b57';

interface Known {
  payments?: object[];
  customers?: { id: number }[];
  refunds?: { id: number; payment_id: number }[];
  deliveries?: Record<string, number>;
  /** Payments with the text as a part, and whether older ones were not looked at. */
  parts?: object[];
  hasMore?: boolean;
}

const problem = (status: number): ProblemError => {
  const body = { type: 'urn:problem:x', title: 'No', status, success: false as const, code: 'x', request_id: 'r-1' };
  return new ProblemError(body as never, new Response(null, { status }));
};

const payment = (id: number, fields: object = {}): object => ({
  id,
  status: 'completed',
  payment_session_id: 'ps',
  metadata: {},
  customer: null,
  ...fields,
});

/** The API with these known objects; `requested` collects the paths. */
function reader({ deliveries = {}, parts = [], hasMore = false, ...known }: Known, requested: string[] = []): Reader {
  const get = async (path: string, { params }: { params: { path?: { id: string | number } } }) => {
    requested.push(path);
    await Promise.resolve();
    if (path === '/search') return { data: { payments: [], customers: [], refunds: [], ...known } };
    if (path === '/payments') return { data: parts, pagination: { next_cursor: hasMore ? 'c' : null } };
    const found = deliveries[params.path!.id];
    if (found === undefined) throw problem(404);
    return { data: { id: found } };
  };
  return { get } as unknown as Reader;
}

const placesOf = async (text: string, known: Known) =>
  (await find(text, reader(known))).map(({ to, search }) => (search ? [to, search] : to));

describe('find', () => {
  it('leads to payments, customers, refunds and deliveries', async () => {
    const known = {
      payments: [payment(17)],
      customers: [{ id: 17 }],
      refunds: [{ id: 17, payment_id: 4 }],
      deliveries: { 17: 17 },
    };
    expect(await placesOf('17', known)).toEqual([
      '/payments/17',
      ['/payments', { customer_id: '17' }],
      '/payments/4',
      '/deliveries/17',
    ]);
  });

  it('leads from a webhook-id to its delivery', async () => {
    expect(await placesOf(WEBHOOK_ID, { deliveries: { [WEBHOOK_ID]: 5 } })).toEqual(['/deliveries/5']);
  });

  it.each([
    [{ payment_session_id: 'x' }, { payment_session_id: 'x' }],
    [{ metadata: { order_id: 'x' } }, { metadata: 'order_id=x' }],
    [{ customer: { id: 1, reference: 'x' } }, { customer_reference: 'x' }],
    [{ customer: { id: 1, email: 'X' } }, { customer_email: 'x' }],
    [{}, { provider_transaction_id: 'x' }],
  ])('ends several payments with %j with their list', async (fields, search) => {
    const payments = [payment(5, fields), payment(4, fields)];
    expect(await placesOf('x', { payments })).toEqual(['/payments/5', '/payments/4', ['/payments', search]]);
  });

  it('names the key of metadata that matches', async () => {
    const [match] = await find('7', reader({ payments: [payment(4, { metadata: { order_id: 7 } })] }));
    expect(match!.detail).toBe('order_id, completed');
  });

  it('asks for a delivery only with a text that can be its id', async () => {
    const requested: string[] = [];
    for (const text of ['ps_1', '0', '9007199254740993']) await find(text, reader({}, requested));
    expect(new Set(requested)).toEqual(new Set(['/search', '/payments']));
  });

  it('leads to payments with the text as a part if nothing has it as a whole, and for the digits of a card', async () => {
    const part = payment(9, { metadata: { order_id: 'A-1' }, amount: 5, currency: 'EUR', payment_method: null });
    const list = ['/payments', { search: 'A-' }];
    expect(await placesOf('A-', { parts: [part] })).toEqual(['/payments/9']);
    expect(await placesOf('A-', { parts: [part], hasMore: true })).toEqual(['/payments/9', list]);
    expect(await placesOf('A-', { hasMore: true })).toEqual([list]);
    expect(await placesOf('A-', { refunds: [{ id: 1, payment_id: 3 }], parts: [part] })).toEqual(['/payments/3']);
    expect(await placesOf('1111', { payments: [payment(1111)], parts: [part] })).toEqual([
      '/payments/1111',
      '/payments/9',
    ]);
  });

  it('fails while the API is unavailable', async () => {
    const api = { get: () => Promise.reject(problem(503)) } as unknown as Reader;
    await expect(find('17', api)).rejects.toMatchObject({ status: 503 });
  });

  it('omits objects that the session may not read', async () => {
    const known = reader({ payments: [payment(17)] });
    const api = {
      get: (...[path, init]: Parameters<Reader['get']>) =>
        path.startsWith('/webhooks') ? Promise.reject(problem(403)) : known.get(path, init),
    } as unknown as Reader;
    expect(await find('17', api)).toMatchObject([{ to: '/payments/17' }]);
  });
});
