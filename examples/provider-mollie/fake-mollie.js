import { randomUUID } from 'node:crypto';
import { FakeServer, ScriptedNotifications, signedNotification } from '@payment-orchestrator/provider-kit/testing';

const DAY_MS = 86_400_000;
const WITHOUT_PLACES = new Set(['ISK', 'JPY']);

/** Outcomes by card token, in place of the cards of Mollie's test mode. */
const CARDS = {
  tkn_paid: { status: 'paid' },
  tkn_capture_fails: { status: 'paid', failsCapture: true },
  tkn_fraud: { status: 'failed', details: { failureReason: 'possible_fraud' } },
  tkn_poor: { status: 'failed', details: { failureReason: 'insufficient_funds' } },
  tkn_slow: { status: 'pending' },
  tkn_3ds: { status: 'open' },
};

const refusal = (status, title, field) => ({
  status,
  body: { status, title, detail: `${title}.`, ...(field !== undefined && { field }), _links: {} },
});
const NOT_FOUND = refusal(404, 'Not Found');
const unprocessable = (field) => refusal(422, 'Unprocessable Entity', field);

const isAmount = ({ currency = '', value = '' } = {}) =>
  (WITHOUT_PLACES.has(currency) ? /^\d+$/ : /^\d+\.\d\d$/).test(value) && /[1-9]/.test(value);
const minor = ({ value }) => Number(value.replace('.', ''));
const amountOf = (count, currency) => {
  const places = WITHOUT_PLACES.has(currency) ? 0 : 2;
  return { currency, value: (count / 10 ** places).toFixed(places) };
};
const idOf = (prefix) => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 16)}`;

/** The calls of a payment's webhook: a form with the id of the payment, not signed. */
class Webhook extends ScriptedNotifications {
  constructor(url) {
    super();
    this.endpoint = url === undefined ? undefined : { url };
  }
  changed(id) {
    this.add(id);
  }
  sign([id]) {
    return signedNotification(Buffer.from(`id=${id}`), { 'content-type': 'application/x-www-form-urlencoded' });
  }
}

/** Mollie's Payments API v2 on loopback, with books: one profile, and any key of test mode. */
export class FakeMollie {
  /** Newest first, as Mollie lists them. */
  records = [];
  timers = new Set();

  constructor({ refundMs = 20 } = {}) {
    /** The time between two states of a refund or a pending capture. */
    this.refundMs = refundMs;
    this.server = new FakeServer((call) => this.answer(call), {
      inUse: refusal(409, 'Conflict'),
      reused: refusal(400, 'Bad Request'),
    });
  }

  static async start(options) {
    const fake = new FakeMollie(options);
    await fake.server.listen();
    return fake;
  }

  async stop() {
    for (const timer of this.timers) clearTimeout(timer);
    for (const { webhook } of this.records) webhook.stop();
    await this.server.close();
  }

  record(id) {
    return this.records.find(({ payment }) => payment.id === id);
  }

  under(reference) {
    return this.records.filter(({ payment }) => payment.metadata?.reference === reference);
  }

  /** The payer or the bank ends an unfinished payment. A paid one with `captureMode: manual` is only authorised. */
  settle(id, status, details) {
    const record = this.record(id);
    if (!['open', 'pending'].includes(record?.payment.status)) throw new Error(`no unfinished payment ${id}`);
    this.enter(record, status, details);
  }

  /** A chargeback of the whole payment. Returns its id. */
  chargeBack(id) {
    const record = this.record(id);
    const { amount } = record.payment;
    const chargeback = { resource: 'chargeback', id: idOf('chb'), amount, paymentId: id, reversedAt: null };
    record.chargebacks.push({ ...chargeback, createdAt: new Date().toISOString() });
    record.payment.amountChargedBack = amount;
    record.webhook.changed(id);
    return chargeback.id;
  }

  answer({ method, path, query, body, headers }) {
    if (!/^Bearer test_\w{30,}$/.test(headers.authorization ?? '')) return refusal(401, 'Unauthorized Request');
    const given = body === '' ? {} : JSON.parse(body);
    const [, version, kind, id, part] = path.split('/');
    if (version !== 'v2') return NOT_FOUND;
    if (method === 'GET' && path === '/v2/profiles/me') return { status: 200, body: { id: 'pfl_v9hTwCvYqw' } };
    if (kind !== 'payments') return NOT_FOUND;
    if (id === undefined) return method === 'POST' ? this.create(given) : this.list(query);
    const record = this.record(id);
    if (!record) return NOT_FOUND;
    const line = [method, part].filter(Boolean).join(' ');
    if (line === 'GET') return { status: 200, body: this.shown(record, query.get('embed') ?? '') };
    if (line === 'DELETE') return this.cancel(record);
    if (line === 'POST captures') return this.capture(record, given);
    if (line === 'POST refunds') return this.refund(record, given);
    if (method === 'GET' && (part === 'captures' || part === 'refunds'))
      return { status: 200, body: { count: record[part].length, _embedded: { [part]: record[part] }, _links: {} } };
    return NOT_FOUND;
  }

  create({ amount, description, redirectUrl, webhookUrl, cardToken, method, captureMode, metadata = null }) {
    if (!isAmount(amount)) return unprocessable('amount');
    if (!description) return unprocessable('description');
    if (!redirectUrl) return unprocessable('redirectUrl');
    if (captureMode === 'manual' && (method ?? 'creditcard') !== 'creditcard') return unprocessable('captureMode');
    const card = cardToken === undefined ? { status: 'open' } : CARDS[cardToken];
    if (!card) return unprocessable('cardToken');
    const payment = { resource: 'payment', id: idOf('tr'), mode: 'test', createdAt: new Date().toISOString() };
    Object.assign(payment, { amount, description, redirectUrl, webhookUrl, method: method ?? null, metadata });
    Object.assign(payment, { captureMode: captureMode ?? 'automatic', details: null, status: 'open' });
    const { failsCapture = false } = card;
    const record = {
      payment,
      webhook: new Webhook(webhookUrl),
      failsCapture,
      captures: [],
      refunds: [],
      chargebacks: [],
    };
    this.records.unshift(record);
    this.enter(record, card.status, card.details);
    return { status: 201, body: this.shown(record) };
  }

  enter(record, status, details = null) {
    const { payment } = record;
    const isHeld = status === 'paid' && payment.captureMode === 'manual' && payment.status !== 'authorized';
    payment.status = isHeld ? 'authorized' : status;
    payment.details = details;
    if (isHeld) payment.captureBefore = new Date(Date.now() + 7 * DAY_MS).toISOString();
    if (!['open', 'pending'].includes(payment.status)) record.webhook.changed(payment.id);
  }

  /** A payment as Mollie shows it: sums after the first money, the checkout page while it is open. */
  shown({ payment, captures, refunds, chargebacks }, embed = '') {
    const { id, status, amount, captureMode } = payment;
    const { currency } = amount;
    const done = captures.filter((one) => one.status === 'succeeded');
    const captured = done.reduce((sum, one) => sum + minor(one.amount), 0);
    const back = this.refunded({ refunds });
    const kept = (captureMode === 'manual' ? captured : minor(amount)) - back;
    const embedded = { refunds, chargebacks };
    const wanted = embed.split(',').filter((name) => name in embedded);
    return structuredClone({
      ...payment,
      isCancelable: status === 'open' || status === 'authorized',
      ...(captureMode === 'manual' && { amountCaptured: amountOf(captured, currency) }),
      ...(status === 'paid' && { amountRefunded: amountOf(back, currency), amountRemaining: amountOf(kept, currency) }),
      ...(wanted.length > 0 && { _embedded: Object.fromEntries(wanted.map((name) => [name, embedded[name]])) }),
      _links: {
        ...(status === 'open' && { checkout: { href: `${this.server.url}/checkout/${id}`, type: 'text/html' } }),
      },
    });
  }

  list(query) {
    const limit = Number(query.get('limit') ?? 50);
    const from = query.get('from');
    const start = from === null ? 0 : this.records.findIndex(({ payment }) => payment.id === from);
    if (start < 0 || limit > 250) return refusal(400, 'Bad Request', from === null ? 'limit' : 'from');
    const payments = this.records.slice(start, start + limit).map((record) => this.shown(record));
    const after = this.records[start + limit]?.payment.id;
    const next = after ? { href: `${this.server.url}/v2/payments?from=${after}&limit=${limit}` } : null;
    return { status: 200, body: { count: payments.length, _embedded: { payments }, _links: { next } } };
  }

  cancel(record) {
    if (!this.shown(record).isCancelable) return unprocessable();
    this.enter(record, 'canceled');
    return { status: 200, body: this.shown(record) };
  }

  /** Mollie keeps one capture of a card, and releases the rest. It may be pending: https://docs.mollie.com/reference/get-capture */
  capture(record, { amount = record.payment.amount, metadata = null }) {
    const { payment, captures, failsCapture } = record;
    if (payment.status !== 'authorized') return unprocessable();
    if (!isAmount(amount) || minor(amount) > minor(payment.amount)) return unprocessable('amount');
    const status = failsCapture ? 'pending' : 'succeeded';
    const capture = { resource: 'capture', id: idOf('cpt'), amount, metadata, status };
    captures.push(capture);
    if (failsCapture) this.later(() => this.progress(record, capture, 'failed'));
    else this.enter(record, 'paid');
    return { status: 201, body: structuredClone(capture) };
  }

  /** Refunds that may still fail count, too. */
  refunded({ refunds }) {
    return refunds.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + minor(amount), 0);
  }

  refund(record, { amount, metadata = null }) {
    const { amountRemaining } = this.shown(record);
    if (!isAmount(amount)) return unprocessable('amount');
    if (!amountRemaining || minor(amount) > minor(amountRemaining)) return unprocessable('amount');
    const refund = { resource: 'refund', id: idOf('re'), amount, metadata, status: 'pending' };
    record.refunds.push(refund);
    this.later(() => {
      this.progress(record, refund, 'processing');
      this.later(() => this.progress(record, refund, 'refunded'));
    });
    return { status: 201, body: structuredClone(refund) };
  }

  progress({ payment, webhook }, operation, status) {
    operation.status = status;
    webhook.changed(payment.id);
  }

  later(action) {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      action();
    }, this.refundMs);
    this.timers.add(timer);
  }
}
