import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  type FakeAnswer,
  type FakeCall,
  FakeServer,
  writeIssuerPage,
} from '@payment-orchestrator/provider-kit/testing';
import { MollieAccount } from './mollie/mollie-account.js';
import { listOf, NOT_FOUND, profileOf, refusal, shownOperation, type StoredPayment } from './mollie/mollie-objects.js';

const UNAUTHORIZED = refusal(401, 'Unauthorized Request');
const KEY_ANSWERS = { inUse: refusal(409, 'Conflict'), reused: refusal(400, 'Bad Request') };

/**
 * Mollie's Payments API v2 on loopback, as its documents describe it, with a profile and books per key (`test_…`). A key
 * with `revoked` in it is unknown. Moves no money. https://docs.mollie.com/reference/payments-api
 *
 * Controlled by: tokens of cards (`tkn_…`); `account(key).settle` and `chargeBack`, or the page of a payment; `injectFault`
 * for faults of calls. Webhooks go to the address of each payment. Observed by `account(key).records` and `calls`.
 */
export class FakeMollie extends FakeServer {
  private readonly accounts = new Map<string, MollieAccount>();

  constructor() {
    super((call) => this.answer(call), KEY_ANSWERS);
  }

  static start(): Promise<FakeMollie> {
    return new FakeMollie().listen();
  }

  account(key: string): MollieAccount {
    const known = this.accounts.get(key);
    if (known) return known;
    const pageOf = (id: string): string => `${this.url}/checkout/${Buffer.from(key).toString('base64url')}/${id}`;
    const account = new MollieAccount(`pfl_${hash('sha256', key).slice(0, 10)}`, pageOf);
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
    if (request.url?.startsWith('/checkout/')) return this.servePage(request, response);
    return super.serve(request, response);
  }

  /** The page of Mollie or of the payer's bank: the payer approves or declines, and goes back to the shop. */
  private async servePage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, , page = '', id = ''] = (request.url ?? '').split('/');
    if (request.method !== 'POST') return writeIssuerPage(response);
    const isApproved = new URLSearchParams(await text(request)).get('outcome') === 'approve';
    const account = this.account(Buffer.from(page, 'base64url').toString());
    account.settle(id, isApproved ? 'paid' : 'canceled');
    response.writeHead(303, { location: account.record(id).payment.redirectUrl ?? '/' }).end();
  }

  private answer({ method, path, query, body, headers }: FakeCall): FakeAnswer {
    const given = body === '' ? {} : (JSON.parse(body) as object);
    const [, key = ''] = /^Bearer (test_\w{30,})$/.exec(headers.authorization ?? '') ?? [];
    if (key === '' || key.includes('revoked')) return UNAUTHORIZED;
    const account = this.account(key);
    const [, version, kind, id, part, partId] = path.split('/');
    if (version !== 'v2') return NOT_FOUND;
    const line = [method, kind, part].filter(Boolean).join(' ');
    if (path === '/v2/profiles/me') return { status: 200, body: profileOf(account.profileId) };
    if (line === 'POST customers') return account.createCustomer(given);
    if (line === 'DELETE customers mandates') return account.revoke(id ?? '', partId ?? '');
    if (kind !== 'payments') return NOT_FOUND;
    if (id === undefined)
      return method === 'POST' ? account.create(given) : account.list(query.get('from'), Number(query.get('limit')));
    const record = account.records.find(({ payment }) => payment.id === id);
    if (!record) return NOT_FOUND;
    if (line === 'GET payments') return { status: 200, body: account.shown(record, query.get('embed') ?? '') };
    if (line === 'DELETE payments') return account.cancel(record);
    if (line === 'POST payments release-authorization') return account.release(record);
    if (line === 'POST payments captures') return account.capture(record, given);
    if (line === 'POST payments refunds') return account.refund(record, given);
    if (part !== 'captures' && part !== 'refunds') return NOT_FOUND;
    return listOf(
      part,
      record[part].map((one) => shownOperation(one, id)),
    );
  }
}
