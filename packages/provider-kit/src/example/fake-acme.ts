import { createHmac, randomUUID } from 'node:crypto';
import {
  type FakeAnswer,
  type FakeCall,
  FakeServer,
  ScriptedNotifications,
  type SignedNotification,
  signedNotification,
} from '@payment-orchestrator/provider-kit/testing';
import type { AcmeCharge, AcmeOperation, AcmeStatus } from './charges.js';

/** Outcomes by the source. `later`: what was accepted fails by `failLater`. */
const SOURCES: ReadonlyMap<string, { status: AcmeStatus; reason?: string; isPending?: true }> = new Map([
  ['src_ok', { status: 'paid' }],
  ['src_pending', { status: 'paid', isPending: true }],
  ['src_lost', { status: 'declined', reason: 'lost' }],
  ['src_no', { status: 'declined', reason: 'no_money' }],
  ['src_slow', { status: 'pending' }],
  ['src_redirect', { status: 'waiting_for_payer' }],
]);
const HOLD_SECONDS = 7 * 86_400;
const now = (): number => Math.floor(Date.now() / 1_000);

export interface AcmeEvent {
  id: string;
  type: string;
  created: number;
  data: Record<string, unknown>;
}

/** Signs the exact bytes. */
export function signAcme(body: string, secret: string | undefined): SignedNotification {
  const contentType = { 'content-type': 'application/json' };
  const headers = secret === undefined ? contentType : { ...contentType, 'acme-signature': hmac(body, secret) };
  return signedNotification(Buffer.from(body), headers);
}
const hmac = (body: string, secret: string): string => createHmac('sha256', secret).update(body).digest('hex');

class AcmeNotifications extends ScriptedNotifications<AcmeEvent, { url: string; secret: string }> {
  report(
    type: string,
    { id, reference, amount, captured, currency, capture_before }: AcmeCharge,
    more: object = {},
  ): void {
    const data = {
      charge: id,
      reference,
      amount,
      captured,
      currency,
      ...(capture_before && { capture_before }),
      ...more,
    };
    this.add({ id: `evt_${randomUUID()}`, type, created: now(), data });
  }

  protected override sign([event]: AcmeEvent[], { secret }: { secret: string }): SignedNotification {
    return signAcme(JSON.stringify(event), secret);
  }
}

type Fields = Record<string, string | number | boolean | undefined>;
const refusal = (status: number, code: string): FakeAnswer => ({
  status,
  body: { code, message: 'Acme does not do this.' },
});
const NOT_FOUND = refusal(404, 'not_found');

/** One account at Acme: its books. */
class AcmeAccount {
  readonly charges: AcmeCharge[] = [];
  readonly operations: (AcmeOperation & { charge: AcmeCharge })[] = [];
  readonly saved = new Map<string, string>();
  private readonly sources = new Map<AcmeCharge, string>();
  private readonly cancelled = new Set<string>();

  constructor(private readonly fake: FakeAcme) {}

  under(reference: string): AcmeCharge[] {
    return this.charges.filter((charge) => charge.reference === reference);
  }

  charge(fields: Fields): FakeAnswer {
    const { reference, amount, currency, capture, save, merchant_initiated: isMerchants } = fields;
    const source = this.saved.get(String(fields['source'])) ?? String(fields['source']);
    const outcome = SOURCES.get(source);
    if (!outcome) return refusal(422, 'unknown_source');
    if (this.cancelled.has(String(reference))) return refusal(422, 'cancelled');
    if (!Number.isSafeInteger(amount) || Number(amount) <= 0) return refusal(422, 'wrong_amount');
    const needsPayer = outcome.status === 'waiting_for_payer' && isMerchants === true;
    const charge: AcmeCharge = {
      id: `ch_${randomUUID()}`,
      reference: String(reference),
      amount: Number(amount),
      captured: 0,
      refunded: 0,
      currency: String(currency),
      status: needsPayer ? 'declined' : outcome.status,
      ...(outcome.reason !== undefined && { reason: outcome.reason }),
    };
    if (charge.status === 'waiting_for_payer') charge.redirect = `${this.fake.server.url}/pages/${charge.id}`;
    this.charges.push(charge);
    this.sources.set(charge, source);
    if (charge.status === 'paid') this.pay(charge, capture !== false);
    if (charge.status === 'declined') this.fake.notifications.report('charge.declined', charge);
    if (save === true && charge.status !== 'declined') {
      charge.saved_source = `src_saved_${randomUUID()}`;
      this.saved.set(charge.saved_source, source);
    }
    return { status: 201, body: { ...charge } };
  }

  pay(charge: AcmeCharge, isCaptured: boolean): void {
    delete charge.redirect;
    charge.status = isCaptured ? 'paid' : 'authorized';
    if (isCaptured) charge.captured = charge.amount;
    else charge.capture_before = now() + HOLD_SECONDS;
    this.fake.notifications.report(isCaptured ? 'charge.paid' : 'charge.authorized', charge);
  }

  end(charge: AcmeCharge, status: 'declined' | 'cancelled' | 'expired'): void {
    delete charge.redirect;
    charge.status = status;
    this.fake.notifications.report(`charge.${status}`, charge);
  }

  cancel(reference: string): FakeAnswer {
    const charge = this.under(reference)[0];
    const isOpen = charge && ['pending', 'waiting_for_payer', 'authorized'].includes(charge.status);
    if (charge && !isOpen && charge.status !== 'cancelled') return refusal(422, 'too_late');
    this.cancelled.add(reference);
    if (isOpen) this.end(charge, 'cancelled');
    return { status: 200, body: { reference, status: 'cancelled' } };
  }

  operate(id: string, kind: AcmeOperation['kind'], given: Fields[string], key: string): FakeAnswer {
    const charge = this.charges.find((one) => one.id === id);
    if (!charge) return NOT_FOUND;
    const rest = kind === 'capture' ? charge.amount : charge.captured - charge.refunded;
    const amount = given === undefined ? rest : Number(given);
    if (charge.status !== (kind === 'capture' ? 'authorized' : 'paid')) return refusal(422, 'wrong_state');
    if (!Number.isSafeInteger(amount) || amount <= 0 || amount > rest) return refusal(422, 'wrong_amount');
    const isPending = SOURCES.get(this.sources.get(charge) ?? '')?.isPending === true;
    const status = isPending ? 'pending' : 'succeeded';
    const operation: AcmeOperation = { id: `op_${randomUUID()}`, kind, status, amount, currency: charge.currency, key };
    this.operations.push({ ...operation, charge });
    if (isPending) this.report(`${kind}.pending`, operation, charge);
    else this.take(operation, charge);
    return { status: 201, body: operation };
  }

  /** A pending operation fails. */
  fail(id: string | undefined): void {
    const found = this.operations.find((one) => one.id === id);
    if (!found) throw new Error(`Acme has no operation ${String(id)}`);
    found.status = 'failed';
    this.report(`${found.kind}.failed`, found, found.charge);
  }

  private take(operation: AcmeOperation, charge: AcmeCharge): void {
    if (operation.kind === 'refund') {
      charge.refunded += operation.amount;
      if (charge.refunded === charge.captured) charge.status = 'refunded';
      return this.report('refund.succeeded', operation, charge);
    }
    charge.captured = operation.amount;
    charge.status = 'paid';
    this.fake.notifications.report('charge.paid', charge);
  }

  private report(type: string, { id, amount }: AcmeOperation, charge: AcmeCharge): void {
    this.fake.notifications.report(type, charge, { operation: id, amount });
  }
}

/** Acme on loopback, with books: an account for each key, except those with `revoked` in them. */
export class FakeAcme {
  readonly notifications = new AcmeNotifications();
  readonly server = new FakeServer((call) => this.answer(call));
  private readonly accounts = new Map<string, AcmeAccount>();

  static async start(): Promise<FakeAcme> {
    const fake = new FakeAcme();
    await fake.server.listen();
    return fake;
  }

  account(key: string): AcmeAccount {
    const account = this.accounts.get(key) ?? new AcmeAccount(this);
    this.accounts.set(key, account);
    return account;
  }

  /** The charges of all accounts. */
  get charges(): AcmeCharge[] {
    return [...this.accounts.values()].flatMap(({ charges }) => charges);
  }

  /** Ends a pending charge, or one that waits for its payer. */
  settle(id: string, status: 'paid' | 'declined'): void {
    for (const account of this.accounts.values()) {
      const charge = account.charges.find((one) => one.id === id);
      if (charge && status === 'paid') account.pay(charge, true);
      else if (charge) account.end(charge, 'declined');
    }
  }

  async stop(): Promise<void> {
    this.notifications.stop();
    await this.server.close();
  }

  private answer({ method, path, query, body, headers }: FakeCall): FakeAnswer {
    const [, key = ''] = /^Bearer (acme_(?!revoked)\w+)$/.exec(headers.authorization ?? '') ?? [];
    if (key === '') return refusal(401, 'unknown_key');
    const account = this.account(key);
    const given = body === '' ? {} : (JSON.parse(body) as Fields);
    const [, resource = '', id, part] = path.split('/');
    const line = [method, resource, id && ':id', part].filter(Boolean).join(' ');
    if (line === 'GET account') return { status: 200, body: { id: `acct_${hmac(key, 'id').slice(0, 8)}` } };
    if (line === 'POST charges') return account.charge(given);
    if (line === 'GET charges') return { status: 200, body: { charges: account.under(query.get('reference') ?? '') } };
    if (line === 'POST cancellations') return account.cancel(String(given['reference']));
    const idempotencyKey = String(headers['idempotency-key']);
    if (line === 'POST charges :id captures') return account.operate(id!, 'capture', given['amount'], idempotencyKey);
    if (line === 'POST charges :id refunds') return account.operate(id!, 'refund', given['amount'], idempotencyKey);
    if (line === 'GET operations') {
      const isMeant = (one: AcmeOperation) => one.id === query.get('id') || one.key === query.get('key');
      const found = account.operations.filter(isMeant).map(({ charge: _, ...operation }) => operation);
      return { status: 200, body: { operations: found } };
    }
    if (line === 'DELETE sources :id')
      return account.saved.delete(decodeURIComponent(id!)) ? { status: 200, body: { id } } : NOT_FOUND;
    return NOT_FOUND;
  }
}
