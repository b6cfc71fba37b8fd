import { currencyDigits } from '../../shared/money.js';
import type { EventType } from '../event-types/event-catalogue.js';
import { consolePathOf } from './console-path.js';

type Fields = Readonly<Record<string, unknown>>;

/** The title, which is what happened in a few words, then details; `null` details are left out. */
type Sentence = (fields: Fields) => [title: string, ...details: (string | null)[]];

const MAX_VALUE_LENGTH = 200;
/** How `&`, `<` and `>` are written in Slack's mrkdwn: unescaped they begin links and mentions, such as `<!channel>`. */
const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A value on one line, which may come from a merchant or a provider. */
function text(value: unknown): string {
  const plain = typeof value === 'string' || typeof value === 'number' ? String(value) : 'unknown';
  const line = plain.replace(/\p{Cc}+/gu, ' ').slice(0, MAX_VALUE_LENGTH);
  return line.replace(/[&<>]/g, (character) => ESCAPED[character]!);
}

const isGiven = (value: unknown): boolean => value !== null && value !== undefined;
const optional = (label: string, value: unknown): string | null => (isGiven(value) ? `${label} ${text(value)}` : null);

function money(amount: unknown, currency: unknown): string {
  const digits = typeof currency === 'string' ? currencyDigits(currency) : undefined;
  const number = typeof amount === 'number' && digits !== undefined ? amount.toFixed(digits) : text(amount);
  return `${number} ${text(currency)}`;
}

const sum = ({ amount, currency }: Fields): string => money(amount, currency);
const percent = (rate: unknown): string => (typeof rate === 'number' ? `${(rate * 100).toFixed(1)} %` : text(rate));
const spaced = (code: unknown): string => text(code).replaceAll('_', ' ');
const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
const answerOf = ({ last_status_code: status, last_error: error }: Fields): string | null =>
  isGiven(status) ? `last answer ${text(status)}` : optional('last error', error);
const endpointOf = ({ endpoint_id: id, webhook_endpoint: address }: Fields): string =>
  isGiven(id) ? `${text(address)} (endpoint ${text(id)})` : text(address);

const refund =
  (verb: string): Sentence =>
  (data) => [`Refund ${verb}`, `refund ${text(data.id)}`, sum(data), optional('failure', data.failure_code)];

const dispute =
  (verb: string): Sentence =>
  (data) => [
    capital(`${spaced(data.kind)} ${verb}`),
    `dispute ${text(data.id)}`,
    sum(data),
    text(data.provider),
    optional('reason', data.reason_code),
    optional('evidence due by', data.evidence_due_by),
  ];

/** By type, of `data`; a change of status has its payment instead. */
const SENTENCES: Record<EventType, Sentence> = {
  'payment.status_changed': ({ status, amount, currency, payment_provider: provider }) => [
    `Payment ${spaced(status)}`,
    money(amount, currency),
    text(provider),
  ],
  'payment.amounts_changed': ({ cause, currency, after, refund_id: refundId }) => {
    const { amount_captured: captured, amount_refunded: refunded } = (after ?? {}) as Fields;
    const amounts = [`captured ${money(captured, currency)}`, `refunded ${money(refunded, currency)}`];
    return [`Amounts changed: ${spaced(cause)}`, ...amounts, optional('refund', refundId)];
  },
  'payment.late_charge': (data) => [
    'Late charge, which the service refunds',
    sum(data),
    `charged by ${text(data.provider)}`,
    `the payment is ${spaced(data.status)}`,
  ],
  'capture.failed': (data) => [
    'Capture failed',
    `operation ${text(data.operation_id)}`,
    sum(data),
    text(data.provider),
    optional('reason', data.reason),
  ],
  'authorization.lapsing': (data) => [
    'Authorisation lapses within a day',
    sum(data),
    text(data.provider),
    optional('capture before', data.capture_before),
  ],
  'refund.created': refund('requested'),
  'refund.updated': (data) => refund(spaced(data.status))(data),
  'dispute.opened': dispute('opened'),
  'dispute.updated': (data) => dispute(`is ${spaced(data.status)}`)(data),
  'dispute.due': (data) => dispute('needs evidence within two days')(data),
  'dispute.closed': (data) => dispute(spaced(data.status))(data),
  'operation.stuck': (data) => [
    data.is_stopped === true
      ? capital(`${spaced(data.kind)} needs a person: the service no longer asks the provider`)
      : capital(`${spaced(data.kind)} has no known outcome`),
    `operation ${text(data.operation_id)}`,
    sum(data),
    text(data.provider),
    `${text(data.tries)} tries since ${text(data.created_at)}`,
    optional('last answer', data.last_answer),
  ],
  'shop.down': (data) => [
    `Shop ${text(data.shop_name)} is down and gets no payments`,
    text(data.provider),
    `${text(data.failed)} failed, ${text(data.declined)} declined, ${text(data.approved)} approved`,
  ],
  'shop.up': (data) => [
    `Shop ${text(data.shop_name)} is up again`,
    text(data.provider),
    `down from ${text(data.began_at)} to ${text(data.ended_at)}`,
  ],
  'approvals.fell': (data) => [
    `Approvals of ${isGiven(data.card_scheme) ? text(data.card_scheme) : 'payments without a known scheme'} fell at ${text(data.shop_name)}`,
    `${percent(data.approval_rate)} in 24 hours, ${percent(data.approval_rate_before)} before`,
    `${text(data.attempts)} attempts`,
  ],
  'delivery.failed': (data) => [
    `Webhook ${text(data.event)} failed for good`,
    `delivery ${text(data.delivery_id)}`,
    endpointOf(data),
    `${text(data.attempts)} attempts`,
    answerOf(data),
  ],
  'endpoint.failing': (data) => [
    'Webhook endpoint is failing',
    endpointOf(data),
    `since ${text(data.failing_since)}`,
    answerOf(data),
  ],
  'endpoint.recovered': (data) => [
    'Webhook endpoint has recovered',
    endpointOf(data),
    `it was failing since ${text(data.failing_since)}`,
  ],
  'endpoint.disabled': (data) => [
    'Webhook endpoint is disabled until you resume it',
    endpointOf(data),
    data.reason === 'gone' ? 'it answered 410' : 'it had no success for days',
  ],
  'approval.requested': (data) => [
    `Approval requested: version ${text(data.version)} of flow ${text(data.flow_name)}`,
    `flow ${text(data.flow_id)}`,
    `by ${text(data.requested_by)}`,
  ],
  'flow.activated': (data) => [
    `Version ${text(data.version)} of flow ${text(data.flow_name)} is active`,
    `flow ${text(data.flow_id)}`,
    optional('before: version', data.previous_version),
  ],
  'flow.rolled_back': (data) => [
    `Flow ${text(data.flow_name)} is back at version ${text(data.version)}${data.reason === 'guardrail' ? ': a guardrail was crossed' : ''}`,
    `flow ${text(data.flow_id)}`,
    `before: version ${text(data.previous_version)}`,
  ],
  'flow.renamed': (data) => [
    `Flow ${text(data.previous_name)} is now called ${text(data.flow_name)}`,
    `flow ${text(data.flow_id)}`,
  ],
};

/**
 * Renders the body of a webhook as a message for chat webhooks that take Slack's format: `{ "text": … }`. The message
 * has ids, amounts, codes and names of the merchant's own things; nothing about the customer, no metadata. The same body
 * gives the same bytes. A type that this process does not know is named with its ids. `consoleUrl`: the console's address, for a
 * link to what happened.
 */
export function renderChatMessage(body: string, consoleUrl?: string): string {
  const fields = JSON.parse(body) as Fields;
  const { event, test, data, payment } = fields;
  const isKnown = typeof event === 'string' && Object.hasOwn(SENTENCES, event);
  const sentence = isKnown ? SENTENCES[event as EventType]((data ?? payment ?? {}) as Fields) : [text(event)];
  const parts = [...sentence, shopOf(fields), paymentOf(fields), linkOf(fields, consoleUrl)];
  const [title, ...details] = parts.filter((part) => part !== null);
  return JSON.stringify({ text: [`${test === true ? '[test] ' : ''}*${title}*`, ...details].join(' · ') });
}

function shopOf({ shop, shop_id: id }: Fields): string | null {
  const { id: ownId, name } = (shop ?? {}) as Fields;
  return isGiven(name) ? `shop ${text(ownId)} (${text(name)})` : optional('shop', id);
}

function linkOf(fields: Fields, consoleUrl: string | undefined): string | null {
  const path = consoleUrl && consolePathOf(fields);
  return path ? `<${consoleUrl}${path}|open>` : null;
}

function paymentOf({ payment, payment_id: id }: Fields): string | null {
  return optional('payment', isGiven(payment) ? (payment as Fields).id : id);
}
