import {
  type FakeAnswer,
  type FakeCall,
  FakeServer,
  ScriptedNotifications,
  signedNotification,
} from '@payment-orchestrator/provider-kit/testing';
import type { AcmeCharge } from './connector.js';

/** Outcomes by the token of the payment method. */
const SOURCES: Readonly<Record<string, Pick<AcmeCharge, 'status' | 'reason'>>> = {
  src_ok: { status: 'paid' },
  src_lost: { status: 'declined', reason: 'lost_card' },
  src_no: { status: 'declined', reason: 'card_declined' },
  src_slow: { status: 'pending' },
  src_redirect: { status: 'waiting_for_payer' },
};

/** Ids of charges that changed; Acme does not sign. */
class AcmeNotifications extends ScriptedNotifications<string, { url: string }> {
  changed(id: string): void {
    this.add(id);
  }

  protected override sign([id = '']: string[]) {
    return signedNotification(Buffer.from(`id=${id}`), { 'content-type': 'application/x-www-form-urlencoded' });
  }
}

const refusal = (status: number, code: string): FakeAnswer => ({ status, body: { code } });

/** Acme on loopback, with books. */
export class FakeAcme {
  readonly charges: AcmeCharge[] = [];
  readonly notifications = new AcmeNotifications();
  readonly server = new FakeServer((call) => this.answer(call));
  private readonly cancelled = new Set<string>();
  private refunds = 0;

  static async start(): Promise<FakeAcme> {
    const fake = new FakeAcme();
    await fake.server.listen();
    return fake;
  }

  /** Ends a pending charge, or one that waits for its payer. */
  settle(id: string, status: 'paid' | 'declined'): void {
    const charge = this.charges.find((one) => one.id === id);
    if (!charge) throw new Error(`no charge ${id}`);
    charge.status = status;
    this.notifications.changed(id);
  }

  async stop(): Promise<void> {
    this.notifications.stop();
    await this.server.close();
  }

  private answer({ method, path, query, body, headers }: FakeCall): FakeAnswer {
    if (!/^Bearer acme_(?!revoked)/.test(headers.authorization ?? '')) return refusal(401, 'unknown_key');
    const given = body === '' ? {} : (JSON.parse(body) as Record<string, string | number | undefined>);
    const line = `${method} ${path}`;
    if (line === 'GET /account') return { status: 200, body: { id: 'acct_1' } };
    if (line === 'GET /charges') return { status: 200, body: { charges: this.under(query.get('reference') ?? '') } };
    if (line === 'POST /charges') return this.charge(given);
    if (line === 'POST /cancellations') return this.cancel(String(given['reference']));
    if (line === 'POST /refunds') return this.refund(String(given['reference']), given['amount']);
    return refusal(404, 'no_such_path');
  }

  private under(reference: string): AcmeCharge[] {
    return this.charges.filter((charge) => charge.reference === reference);
  }

  private charge({
    reference,
    amount,
    currency,
    source,
    notify_url: url,
  }: Record<string, string | number | undefined>) {
    const outcome = SOURCES[String(source)];
    if (!outcome) return refusal(422, 'unknown_source');
    if (this.cancelled.has(String(reference))) return refusal(422, 'cancelled');
    if (typeof url === 'string') this.notifications.endpoint = { url };
    const id = `ch_${this.charges.length + 1}`;
    const redirect = outcome.status === 'waiting_for_payer' && { redirect: `${this.server.url}/pages/${id}` };
    const facts = { reference: String(reference), amount: Number(amount), currency: String(currency), refunded: 0 };
    const charge: AcmeCharge = { id, ...facts, ...outcome, ...redirect };
    this.charges.push(charge);
    return { status: 201, body: charge };
  }

  private cancel(reference: string): FakeAnswer {
    const charge = this.under(reference)[0];
    if (charge && !['pending', 'waiting_for_payer', 'cancelled'].includes(charge.status))
      return refusal(422, 'too_late');
    this.cancelled.add(reference);
    if (charge) {
      charge.status = 'cancelled';
      delete charge.redirect;
    }
    return { status: 200, body: {} };
  }

  private refund(reference: string, given: string | number | undefined): FakeAnswer {
    const charge = this.under(reference)[0];
    if (charge?.status !== 'paid') return refusal(422, 'not_refundable');
    const amount = given === undefined ? charge.amount - charge.refunded : Number(given);
    if (amount > charge.amount - charge.refunded) return refusal(422, 'too_much');
    charge.refunded += amount;
    if (charge.refunded === charge.amount) charge.status = 'refunded';
    return { status: 201, body: { id: `re_${++this.refunds}` } };
  }
}
