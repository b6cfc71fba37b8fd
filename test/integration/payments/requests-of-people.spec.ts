import { expect, it } from '@jest/globals';
import { sharedApi } from '../../support/app/api-app.js';
import { ApiClient } from '../../support/app/api-client.js';
import { insertClient } from '../../support/app/insert-client.js';
import { dataOf, Merchant } from '../../support/app/merchant.js';

interface Entry {
  action: string;
  actor: { client_id: string; name: string };
  details: Record<string, unknown>;
}
interface Requested {
  id: number;
  kind: string;
  requested_by: { client_id: string; name: string | null } | null;
}

it('a refund, capture and cancellation name who asked for them, and the audit log has those of people', async () => {
  const api = await sharedApi();
  const program = await insertClient(api.database);
  const merchant = new Merchant(await ApiClient.login(api.url, program.id, program.secret));
  const ada = await insertClient(api.database, { merchantId: program.merchantId });
  await api.database.pool.query(`UPDATE api_clients SET name = 'Ada' WHERE client_id = $1`, [ada.id]);
  const signIn = { client_id: ada.id, client_secret: ada.secret };
  const signedIn = await new ApiClient(api.url).post<{ data: { csrf_token: string } }>('/console/session', signIn);
  const session = {
    cookie: signedIn.headers.get('set-cookie')!.split(';', 1)[0]!,
    'x-csrf-token': signedIn.body.data.csrf_token,
  };
  const byAda = async <T>(path: string, body?: object) =>
    dataOf<T>(await new ApiClient(api.url).post(path, body, session));
  const entriesOf = async (id: number) =>
    dataOf<Entry[]>(await merchant.api.get(`/audit?object_type=payment&object_id=${id}`));
  const operationsOf = async (id: number) =>
    dataOf<Requested[]>(await merchant.api.get(`/payments/${id}/operations`)).map(({ kind, requested_by: by }) => [
      kind,
      by?.client_id ?? null,
    ]);

  const flow = 'of people';
  await merchant.createFlow(flow, [(await merchant.createShop(flow)).id]);
  const paid = await merchant.pay(flow);
  const own = dataOf<Requested>(await merchant.api.post(`/payments/${paid.id}/refunds`, { amount: 1 }));
  expect(own.requested_by).toEqual({ client_id: program.id, name: 'A client' });
  expect(await entriesOf(paid.id)).toEqual([]);
  const hers = await byAda<Requested>(`/payments/${paid.id}/refunds`, { amount: 2 });
  expect(hers.requested_by).toEqual({ client_id: ada.id, name: 'Ada' });
  await byAda(`/payments/${paid.id}/refund`);
  const actor = { client_id: ada.id, name: 'Ada' };
  expect(await entriesOf(paid.id)).toMatchObject([
    { action: 'payment.refund_requested', actor },
    { action: 'payment.refund_requested', actor, details: { refund_id: hers.id, amount: 2, currency: 'EUR' } },
  ]);
  const listed = dataOf<Requested[]>(await merchant.api.get(`/payments/${paid.id}/refunds`));
  expect(listed.map(({ requested_by: by }) => by!.name)).toEqual(['Ada', 'Ada', 'A client']);

  const [captured, cancelled] = [
    await merchant.pay(flow, { capture: 'manual' }),
    await merchant.pay(flow, { capture: 'manual' }),
  ];
  await byAda(`/payments/${captured.id}/capture`, { amount: 5 });
  await byAda(`/payments/${captured.id}/capture`, { amount: 5 });
  await byAda(`/payments/${cancelled.id}/cancel`);
  expect(await operationsOf(captured.id)).toEqual([
    ['charge', null],
    ['capture', ada.id],
  ]);
  expect(await operationsOf(cancelled.id)).toEqual([
    ['charge', null],
    ['void', ada.id],
  ]);
  expect(await entriesOf(captured.id)).toMatchObject([{ action: 'payment.capture_requested', details: { amount: 5 } }]);
  expect(await entriesOf(cancelled.id)).toMatchObject([{ action: 'payment.cancel_requested', actor }]);
  await api.stop();
});
