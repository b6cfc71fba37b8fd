import type { ApiClient } from '../app/api-client.js';
import { dataOf, Merchant, type PaymentAnswer } from '../app/merchant.js';
import { stopCharges } from '../fuzz/fuzz-material.js';
import type { OpenApiDocument, Operation } from '../fuzz/openapi-operations.js';
import { mediaOf, prefilled, prefilledPath } from '../fuzz/prefilled-bodies.js';
import type { TestDatabase } from '../servers/database.js';

/** Operations whose prefilled body works on a new service after the ones before, in this order. */
const ORDER = [
  'POST /shops',
  'POST /flows',
  'POST /flows/simulate',
  'POST /payments',
  'POST /payments/{id}/refund',
  'PATCH /shops/{id}',
  'POST /shops/{id}/webhook-secret/rotate',
  'PATCH /flows/{id}',
  'POST /flows/{id}/versions',
  'POST /flows/{id}/backtest',
];

/** The first merchant of a new service sends what Swagger UI suggests; returns what is refused. */
export class PrefilledStory {
  /** Paths of operations that need another object than the first of its kind. */
  private readonly paths = new Map<string, string>();
  private readonly merchant: Merchant;
  private flowsMade = 0;

  constructor(
    private readonly document: OpenApiDocument,
    private readonly api: ApiClient,
    private readonly database: TestDatabase,
  ) {
    this.merchant = new Merchant(api);
  }

  /** `operations`: those with a body and a token. First from the shop to the refund, then all, then other examples. */
  async faults(operations: Operation[]): Promise<string[]> {
    const faults: string[] = [];
    const first = ORDER.map((name) => operations.find((each) => each.name === name)!);
    for (const operation of first) faults.push(...(await this.send(operation, prefilled(this.document, operation))));
    await this.prepare();
    for (const operation of operations.filter((each) => !first.includes(each))) {
      faults.push(...(await this.send(operation, prefilled(this.document, operation))));
    }
    // some need two shops
    await this.api.post('/shops', { name: 'Paris' });
    for (const operation of operations) {
      for (const [, { value }] of Object.entries(mediaOf(this.document, operation).examples ?? {}).slice(1)) {
        faults.push(...(await this.send(operation, value)));
      }
    }
    return faults;
  }

  private async send(operation: Operation, body: unknown): Promise<string[]> {
    const path = this.paths.get(operation.name) ?? prefilledPath(operation);
    const answer = await this.api.request(operation.method, path, body);
    return answer.status < 300 ? [] : [`${operation.name} ${JSON.stringify([body, answer.body])}`];
  }

  /** Objects in the states that the operations need. */
  private async prepare(): Promise<void> {
    const { api, merchant, paths } = this;
    for (const action of ['approval-requests', 'approval-requests/withdraw', 'reject']) {
      const draft = `${await this.flowWithDraft()}/versions/2`;
      paths.set(`POST /flows/{id}/versions/{version}/${action}`, `${draft}/${action}`);
      if (action !== 'approval-requests') await api.post(`${draft}/approval-requests`);
    }
    // an author approves and rejects nothing
    await this.database.pool.query("UPDATE flow_versions SET created_by = 'another client'");
    const pay = (fields?: object): Promise<PaymentAnswer> => merchant.pay('checkout', { ...fields });
    const payments = {
      capture: await pay({ capture: 'manual' }),
      'next-action': await pay({ payment_method: { token: 'tok_provider_action' } }),
      refunds: await pay(),
    };
    for (const [action, { id }] of Object.entries(payments)) {
      paths.set(`POST /payments/{id}/${action}`, `/payments/${id}/${action}`);
    }
    const sandbox = '/providers/sandbox';
    const [held, disputed] = [await pay({ capture: 'manual' }), await pay()];
    for (const [change, payment] of Object.entries({ captures: held, refunds: disputed, disputes: disputed })) {
      const path = `${sandbox}/transactions/${payment.provider_transaction_id}/${change}`;
      paths.set(`POST ${sandbox}/transactions/{transactionId}/${change}`, path);
    }
    const dispute = paths.get(`POST ${sandbox}/transactions/{transactionId}/disputes`)!;
    const opened = dataOf<{ id: string }>(await api.post(dispute, { amount: 1 }));
    paths.set(`PATCH ${sandbox}/disputes/{sandboxDisputeId}`, `${sandbox}/disputes/${opened.id}`);
    // the provider charged it, and recovery has given up
    const unknown = await pay({ payment_method: { token: 'tok_charged_no_answer' } });
    const [stopped] = await stopCharges(this.database.pool, [unknown]);
    const settle = `/payments/${unknown.id}/operations/${stopped!.operation}/settle`;
    paths.set('POST /payments/{id}/operations/{operationId}/settle', settle);
    const standing = dataOf<{ id: number }>(await api.post('/webhooks/endpoints', { url: 'https://merchant.example' }));
    const endpoint = `/webhooks/endpoints/${standing.id}`;
    paths.set('PATCH /webhooks/endpoints/{id}', endpoint);
    for (const action of ['rotate-secret', 'test']) {
      paths.set(`POST /webhooks/endpoints/{id}/${action}`, `${endpoint}/${action}`);
    }
    const client = dataOf<{ client_id: string }>(await api.post('/clients', { name: 'a program', role: 'developer' }));
    paths.set('PATCH /clients/{clientId}', `/clients/${client.client_id}`);
    paths.set('POST /clients/{clientId}/rotate-secret', `/clients/${client.client_id}/rotate-secret`);
    for (const [method, action] of [
      ['PATCH', ''],
      ['POST', '/promote'],
      ['POST', '/abort'],
    ]) {
      paths.set(`${method} /flows/{id}/rollouts/{rolloutId}${action}`, `${await this.rollout()}${action}`);
    }
    paths.set('POST /flows/{id}/rollouts', `${await this.flowWithDraft()}/rollouts`);
    await api.patch('/shops/1', { webhook_signing: 'public_key' }); // without it there is no key to rotate
  }

  /** The path of a new flow with a draft, version 2. */
  private async flowWithDraft(): Promise<string> {
    const { id } = await this.merchant.createFlow(`to roll out ${++this.flowsMade}`, [1]);
    await this.api.post(`/flows/${id}/versions`, { strategy: 'weighted', shops: [{ shop_id: 1 }] });
    return `/flows/${id}`;
  }

  private async rollout(): Promise<string> {
    const path = `${await this.flowWithDraft()}/rollouts`;
    const body = { version: 2, percent: 5, key: 'payment' };
    return `${path}/${dataOf<{ id: number }>(await this.api.post(path, body)).id}`;
  }
}
