import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@payment-orchestrator/client';
import { find, type Reader } from './find';

const WEBHOOK_ID = 'whd_019aa3f2-1d80-7c3e-b1f4-6a0d2c9e8b57';

interface Known {
  payments?: number[];
  deliveries?: Record<string, number>;
  sessions?: Record<string, number[]>;
  transactions?: Record<string, number[]>;
}

const problem = (status: number): ProblemError => {
  const body = { type: 'urn:problem:x', title: 'No', status, success: false as const, code: 'x', request_id: 'r-1' };
  return new ProblemError(body as never, new Response(null, { status }));
};

/** The API with these known objects; `requested` collects the paths. */
function reader(
  { payments = [], deliveries = {}, sessions = {}, transactions = {} }: Known,
  requested: string[] = [],
): Reader {
  const get = async (path: string, { params }: { params: { path?: { id: string | number }; query?: Query } }) => {
    requested.push(path);
    await Promise.resolve();
    if (path === '/payments') {
      const { payment_session_id: session, provider_transaction_id: transaction } = params.query!;
      return { data: (sessions[session!] ?? transactions[transaction!] ?? []).map((id) => ({ id })) };
    }
    const { id } = params.path!;
    const found = path === '/payments/{id}' ? payments.find((each) => each === id) : deliveries[id];
    if (found === undefined) throw problem(404);
    return { data: { id: found } };
  };
  return { get } as unknown as Reader;
}

interface Query {
  payment_session_id?: string;
  provider_transaction_id?: string;
}

const placesOf = async (text: string, known: Known) =>
  (await find(text, reader(known))).map(({ to, search }) => (search ? [to, search] : to));

describe('find', () => {
  it('leads from a number to the payment with that id', async () => {
    expect(await placesOf('17', { payments: [17] })).toEqual(['/payments/17']);
  });

  it('offers the payment and the delivery that have the same number', async () => {
    expect(await placesOf('17', { payments: [17], deliveries: { 17: 17 } })).toEqual([
      '/payments/17',
      '/deliveries/17',
    ]);
  });

  it('leads from a webhook-id to its delivery', async () => {
    expect(await placesOf(WEBHOOK_ID, { deliveries: { [WEBHOOK_ID]: 5 } })).toEqual(['/deliveries/5']);
  });

  it('leads from a session or transaction to its only payment', async () => {
    expect(await placesOf('ps_1', { sessions: { ps_1: [4] } })).toEqual(['/payments/4']);
    expect(await placesOf('tx_1', { transactions: { tx_1: [4] } })).toEqual(['/payments/4']);
  });

  it('leads to the filtered list when a session or transaction has several payments', async () => {
    expect(await placesOf('ps_1', { sessions: { ps_1: [4, 5] } })).toEqual([
      ['/payments', { payment_session_id: 'ps_1' }],
    ]);
    expect(await placesOf('tx_1', { transactions: { tx_1: [4, 5] } })).toEqual([
      ['/payments', { provider_transaction_id: 'tx_1' }],
    ]);
  });

  it('lists a payment once although several of its ids are the text', async () => {
    expect(await placesOf('17', { payments: [17], sessions: { 17: [17] }, transactions: { 17: [17] } })).toEqual([
      '/payments/17',
    ]);
  });

  it('returns no match for an unknown id', async () => {
    expect(await placesOf('nothing', {})).toEqual([]);
  });

  it('sends only the requests that fit the format of the text', async () => {
    const requested: string[] = [];
    await find('ps_1', reader({}, requested));
    await find('0', reader({}, requested));
    await find('9007199254740993', reader({}, requested));
    expect(new Set(requested)).toEqual(new Set(['/payments']));
  });

  it('fails while the API is unavailable', async () => {
    const api = { get: () => Promise.reject(problem(503)) } as unknown as Reader;
    await expect(find('17', api)).rejects.toMatchObject({ status: 503 });
  });

  it('omits objects that the session may not read', async () => {
    const known = reader({ payments: [17] });
    const api = {
      get: (...[path, init]: Parameters<Reader['get']>) =>
        path.startsWith('/webhooks') ? Promise.reject(problem(403)) : known.get(path, init),
    } as unknown as Reader;
    expect(await find('17', api)).toMatchObject([{ to: '/payments/17' }]);
  });
});
