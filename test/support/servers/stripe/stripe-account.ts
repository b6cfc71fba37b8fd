import { type FormValue, textOf } from './form.js';
import { StripeEvents } from './stripe-events.js';
import { StripeLedger } from './stripe-ledger.js';
import { type FakeIntent, invalidRequest, StripeFault, type StripeErrorFields } from './stripe-objects.js';

export interface Answer {
  status: number;
  body: object;
}

/** The fake's transaction of a payment, with the names of the provider port. */
export interface FakeTransaction {
  id: string;
  reference: string | undefined;
  paymentId: string | undefined;
  status: 'open' | 'authorized' | 'captured' | 'voided' | 'refunded' | 'declined';
  /** Minor units, as are the sums; refunds count once they succeeded. */
  amount: number;
  captured: number;
  refunded: number;
  currency: string;
}

interface Call {
  method: string;
  path: string;
  form: Record<string, FormValue>;
  key: string | undefined;
}

interface KeptAnswer {
  fingerprint: string;
  /** `undefined` while the first call is in progress. */
  answer: Answer | undefined;
}

/** Results of calls that took effect are stored with their key; refused parameters are not. */
const KEPT_CODES = new Set(['payment_intent_unexpected_state', 'charge_already_refunded']);
const isKept = ({ status, body }: Answer): boolean => {
  const { error } = body as { error?: StripeErrorFields };
  return status < 300 || status === 402 || status >= 500 || KEPT_CODES.has(error?.code ?? '');
};

/** One account, identified by its secret key: routes of the API, idempotency keys, search. */
export class StripeAccount {
  readonly events = new StripeEvents();
  readonly ledger: StripeLedger;
  /** Makes the search return no intents yet. */
  searchLags = false;
  private readonly keys = new Map<string, KeptAnswer>();

  /** `id`: such as `acct_1`. */
  constructor(
    private readonly id: string,
    pageUrl: (intentId: string) => string,
  ) {
    this.ledger = new StripeLedger(this.events.emit, pageUrl);
  }

  /** `during` runs after the call took effect and before its answer is stored; it may replace the answer. */
  async handle(call: Call, during: (answer: Answer) => Promise<Answer>): Promise<Answer & { replayed?: boolean }> {
    if (call.key === undefined || call.method !== 'POST') return during(this.execute(call));
    const fingerprint = JSON.stringify([call.path, call.form]);
    const kept = this.keys.get(call.key);
    if (kept) return replay(kept, fingerprint);
    const entry: KeptAnswer = { fingerprint, answer: undefined };
    this.keys.set(call.key, entry);
    try {
      const answer = await during(structuredClone(this.execute(call)));
      if (isKept(answer)) entry.answer = answer;
      return answer;
    } finally {
      if (!entry.answer) this.keys.delete(call.key);
    }
  }

  /** Forgets the keys, as Stripe does after a day. */
  forgetKeys(): void {
    this.keys.clear();
  }

  stop(): void {
    this.events.stop();
  }

  transactions(): FakeTransaction[] {
    return [...this.ledger.intents.values()].map((intent) => ({
      id: intent.id,
      reference: intent.metadata['reference'],
      paymentId: intent.metadata['payment_id'],
      status: this.statusOf(intent),
      amount: intent.amount,
      captured: intent.amount_received,
      refunded: this.givenBack(intent),
      currency: intent.currency,
    }));
  }

  private statusOf(intent: FakeIntent): FakeTransaction['status'] {
    if (intent.status === 'canceled') return 'voided';
    if (intent.status === 'requires_payment_method') return intent.last_payment_error ? 'declined' : 'open';
    if (intent.status === 'requires_capture') return 'authorized';
    if (intent.status !== 'succeeded') return 'open';
    return this.givenBack(intent) >= intent.amount_received ? 'refunded' : 'captured';
  }

  private givenBack({ id }: FakeIntent): number {
    const given = this.refundsOf(id).filter(({ status }) => status === 'succeeded');
    return given.reduce((sum, { amount }) => sum + amount, 0);
  }

  private execute({ method, path, form }: Call): Answer {
    try {
      return { status: 200, body: this.route(method, path.split('/').slice(2), form) };
    } catch (error) {
      if (error instanceof StripeFault) return { status: error.status, body: { error: error.fields } };
      throw error;
    }
  }

  private route(method: string, [resource, id, action]: string[], form: Record<string, FormValue>): object {
    if (resource === 'payment_intents') {
      if (method === 'POST' && id === undefined) return this.expanded(this.ledger.createIntent(form), form);
      if (method === 'POST' && id !== undefined && action === 'cancel') return this.ledger.cancelIntent(id);
      if (method === 'POST' && id !== undefined && action === 'capture') return this.ledger.captureIntent(id, form);
      if (method === 'GET' && id === undefined) return this.listIntents(form);
      if (method === 'GET' && id === 'search') return this.search(textOf(form['query']));
      if (method === 'GET' && id !== undefined) return this.expanded(this.ledger.intent(id), form);
    }
    if (resource === 'refunds' && method === 'POST') return this.ledger.createRefund(form);
    if (resource === 'refunds' && method === 'GET' && id !== undefined) return this.ledger.refund(id);
    if (resource === 'refunds' && method === 'GET')
      return paged('/v1/refunds', this.refundsOf(textOf(form['payment_intent'])), form);
    if (resource === 'customers' && method === 'POST' && id === undefined)
      return this.ledger.methods.createCustomer(form);
    if (resource === 'payment_methods' && method === 'POST' && id !== undefined && action === 'detach')
      return this.ledger.methods.detach(id);
    if (resource === 'account' && method === 'GET') return { id: this.id, object: 'account' };
    throw invalidRequest(`Unrecognized request URL (${method}: ${String(resource)})`, {}, 404);
  }

  /** Newest first, like Stripe. */
  private listIntents(form: Record<string, FormValue>): object {
    const { created, expand = {} } = form;
    const since = Number(typeof created === 'object' ? textOf(created['gte']) : 0);
    const found = [...this.ledger.intents.values()].reverse().filter((intent) => intent.created >= since);
    const inEach = Object.entries(expand).map(
      ([index, field]) => [index, textOf(field).replace(/^data\./, '')] as const,
    );
    const page = paged('/v1/payment_intents', found, form);
    const data = page.data.map((intent) => this.expanded(intent, { expand: Object.fromEntries(inEach) }));
    return { ...page, data };
  }

  private search(query: string): object {
    const [, name = '', value] = /^metadata\['(\w+)'\]:'([\w-]+)'$/.exec(query) ?? [];
    if (value === undefined) throw invalidRequest(`We were unable to parse your search query: ${query}`);
    const found = [...this.ledger.intents.values()].filter(({ metadata }) => metadata[name] === value);
    return {
      ...list('/v1/payment_intents/search', this.searchLags ? [] : found),
      object: 'search_result',
      next_page: null,
    };
  }

  /** A charge contains its ten newest refunds. */
  private expanded(intent: FakeIntent, { expand = {} }: Record<string, FormValue>): object {
    const charge = this.ledger.charges.get(intent.latest_charge ?? '');
    const fields = Object.values(expand).map(textOf);
    if (!charge || !fields.some((field) => field.startsWith('latest_charge'))) return intent;
    const refunds = paged(`/v1/charges/${charge.id}/refunds`, this.refundsOf(intent.id), {});
    return { ...intent, latest_charge: { ...charge, ...(fields.includes('latest_charge.refunds') && { refunds }) } };
  }

  /** Newest first, like Stripe. */
  private refundsOf(intentId: string) {
    return [...this.ledger.refunds.values()].reverse().filter((refund) => refund.payment_intent === intentId);
  }
}

const list = (url: string, data: object[]) => ({ object: 'list', url, has_more: false, data });

/** A page of a list, of ten entries by default. */
function paged<Entry extends { id: string }>(
  url: string,
  all: Entry[],
  { limit, starting_after: after }: Record<string, FormValue>,
) {
  const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const to = from + Number(textOf(limit) || 10);
  return { object: 'list', url, has_more: to < all.length, data: all.slice(from, to) };
}

function replay({ fingerprint: first, answer }: KeptAnswer, fingerprint: string): Answer & { replayed?: boolean } {
  if (first !== fingerprint) {
    const message = 'Keys for idempotent requests can only be used with the same parameters they were first used with.';
    return { status: 400, body: { error: { type: 'idempotency_error', message } } };
  }
  if (answer) return { ...answer, replayed: true };
  const message = 'There is currently another in-progress request using this Idempotent Key.';
  return { status: 409, body: { error: { type: 'invalid_request_error', code: 'idempotency_key_in_use', message } } };
}
