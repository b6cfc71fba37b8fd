import { describe, expect, it } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { forgetWithSession, type Identity, type Session, SESSION_KEY } from './session-cache';

const session = (merchantId: number, clientId: string, csrfToken = 'token'): Session => ({
  merchant: { id: merchantId, name: 'Blumen' },
  client_id: clientId,
  name: clientId,
  rights_given_by: [],
  scopes: [],
  csrf_token: csrfToken,
  expires_at: '2026-11-22T12:00:00Z',
});
const ADA = session(1, 'ada');
const PAYMENT = ['/payments/{id}', 17];

function pageOf(first: Session | null) {
  const client = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity } } });
  const changes: Identity[] = [];
  forgetWithSession(client, (identity) => changes.push(identity));
  client.setQueryData(SESSION_KEY, first);
  client.setQueryData(PAYMENT, { id: 17 });
  return { client, changes };
}

describe('forgetWithSession', () => {
  it.each([
    ['another merchant signs in', session(2, 'bob')],
    ['another client of the merchant signs in', session(1, 'bob')],
    ['the user signs out', null],
  ])('removes the data of the session when %s', (_, next) => {
    const { client } = pageOf(ADA);
    client.setQueryData(SESSION_KEY, next);
    expect(client.getQueryData(PAYMENT)).toBeUndefined();
    expect(client.getQueryData(SESSION_KEY)).toEqual(next);
  });

  it('keeps the data when the session is extended', () => {
    const { client } = pageOf(ADA);
    client.setQueryData(SESSION_KEY, session(1, 'ada', 'a new token'));
    expect(client.getQueryData(PAYMENT)).toEqual({ id: 17 });
  });

  it('ignores an answer that arrives after the change', async () => {
    const { client } = pageOf(ADA);
    let answer: (payment: object) => void = () => undefined;
    const read = client
      .fetchQuery({ queryKey: PAYMENT, queryFn: () => new Promise<object>((resolve) => (answer = resolve)) })
      .catch(() => undefined);
    client.setQueryData(SESSION_KEY, session(2, 'bob'));
    answer({ id: 17, of: 'ada' });
    await read;
    expect(client.getQueryData(PAYMENT)).toBeUndefined();
  });

  it('reports each change of the identity once', () => {
    const { client, changes } = pageOf(ADA);
    client.setQueryData(SESSION_KEY, session(1, 'ada', 'a new token'));
    client.setQueryData(SESSION_KEY, null);
    client.setQueryData(SESSION_KEY, session(2, 'bob'));
    expect(changes).toEqual(['1 ada', null, '2 bob']);
  });
});
