import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  type FakeAnswer,
  type FakeCall,
  FakeServer,
  writeIssuerPage,
} from '@payment-orchestrator/provider-kit/testing';
import { CheckoutAccount } from './checkout/checkout-account.js';
import { bare, refusal, type StoredPayment } from './checkout/checkout-objects.js';

/** The body of a repeat is not compared. */
const KEYS = { header: 'cko-idempotency-key', inUse: refusal(409, 'conflict'), reused: null };

/**
 * Checkout.com's payments API on loopback, as its documents describe it, with books per key (`sk_sbox_…`). A key with
 * `revoked` in it is unknown. Captures, voids and refunds are accepted, and processed a moment later. Moves no money.
 *
 * Controlled by: `tokenOf(…)`; `account(key).settle`, `lapse` and `dispute`, or the issuer's page; `injectFault` for
 * faults of calls; `account(key).events.endpoint`. Observed by `account(key).records` and `calls`.
 */
export class FakeCheckout extends FakeServer {
  private readonly accounts = new Map<string, CheckoutAccount>();

  constructor() {
    super((call) => this.answer(call), KEYS);
  }

  static start(): Promise<FakeCheckout> {
    return new FakeCheckout().listen();
  }

  account(key: string): CheckoutAccount {
    const known = this.accounts.get(key);
    if (known) return known;
    const account = new CheckoutAccount((id) => `${this.url}/3ds/${encodeURIComponent(key)}/${id}`);
    this.accounts.set(key, account);
    return account;
  }

  transactions(): StoredPayment[] {
    return [...this.accounts.values()].flatMap((account) => account.transactions());
  }

  override async close(): Promise<void> {
    for (const account of this.accounts.values()) account.stop();
    await super.close();
  }

  protected override async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith('/3ds/')) return this.servePage(request, response);
    return super.serve(request, response);
  }

  /** The issuer's page: the payer goes back with the id of the session. */
  private async servePage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, , key = '', id = ''] = (request.url ?? '').split('/');
    if (request.method !== 'POST') return writeIssuerPage(response);
    const isApproved = new URLSearchParams(await text(request)).get('outcome') === 'approve';
    const account = this.account(decodeURIComponent(key));
    account.settle(id, isApproved ? undefined : '20151');
    const { success_url: success, failure_url: failure } = account.record(id).payment;
    const back = new URL((isApproved ? success : failure)!);
    back.searchParams.set('cko-session-id', id.replace('pay_', 'sid_'));
    response.writeHead(303, { location: back.href }).end();
  }

  private answer({ method, path, query, body, headers }: FakeCall): FakeAnswer {
    const [, key = ''] = /^Bearer (sk_sbox_\S{27})$/.exec(headers.authorization ?? '') ?? [];
    if (key === '' || key.includes('revoked')) return bare(401);
    const account = this.account(key);
    const [, kind, id = '', part] = path.split('/');
    const line = [method, kind, part].filter(Boolean).join(' ');
    const given = body === '' ? {} : (JSON.parse(body) as object);
    if (line === 'DELETE instruments') return account.removeInstrument(id);
    if (line === 'GET disputes') return { status: 200, body: account.disputes.get(id) ?? {} };
    if (kind !== 'payments') return bare(404);
    if (id === '' && method === 'POST') return account.create(given);
    if (id === '') {
      const data = account.under(query.get('reference') ?? '');
      return { status: 200, body: { limit: 10, skip: 0, total_count: data.length, data } };
    }
    const record = account.records.find(({ payment }) => payment.id === id);
    if (!record) return bare(404);
    if (line === 'GET payments') return { status: 200, body: account.shown(record) };
    if (line === 'GET payments actions') return { status: 200, body: account.actionsOf(record) };
    if (line === 'POST payments captures') return account.capture(record, given);
    if (line === 'POST payments voids') return account.void(record, given);
    if (line === 'POST payments refunds') return account.refund(record, given);
    return bare(404);
  }
}
