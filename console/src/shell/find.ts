import { customerText, methodText, orderOf } from '../pages/payments/list-texts';
import { money } from '../ui/money';
import { type PaymentOrchestratorClient, ProblemError, type Schema } from '@payment-orchestrator/client';

/** A page that shows the object, or the list of all payments with the value. */
export interface Match {
  label: string;
  /** Why it matches. */
  detail?: string;
  to: string;
  search?: Record<string, string>;
}

export type Reader = Pick<PaymentOrchestratorClient, 'get'>;

/**
 * Finds all objects with this value: payments, customers and refunds as `GET /search` does, a delivery by its number or
 * webhook-id. Without any, and for four digits, which a card may have too, the newest payments that have it as a part: of an
 * order, a customer, an amount or a card. The list of several payments is the last match. Throws when the API is unavailable.
 */
export async function find(text: string, api: Reader): Promise<Match[]> {
  const found = await Promise.all([objects, deliveryById].map((finder) => finder(text, api).catch(noMatch)));
  const matches = found.flat();
  if (matches.length > 0 && !LAST_DIGITS.test(text)) return matches;
  const known = new Set(matches.map(({ label }) => label));
  return [...matches, ...(await parts(text, api).catch(noMatch)).filter(({ label }) => !known.has(label))];
}

/** The digits of a card that payers know. */
const LAST_DIGITS = /^\d{4}$/;

type Finder = (text: string, api: Reader) => Promise<Match[]>;

const objects: Finder = async (text, api) => {
  const { data } = await api.get('/search', { params: { query: { q: text } } });
  const { payments, customers, refunds } = data;
  return [
    ...payments.map((payment) => ({
      label: `Payment ${payment.id}`,
      detail: detailOf(payment, text),
      to: `/payments/${payment.id}`,
    })),
    ...customers.map(({ id }) => ({
      label: `Customer ${id}`,
      detail: 'its payments',
      to: '/payments',
      search: { customer_id: String(id) },
    })),
    ...refunds.map(({ id, payment_id: paymentId }) => ({
      label: `Refund ${id}`,
      detail: `of payment ${paymentId}`,
      to: `/payments/${paymentId}`,
    })),
    ...listOf(payments, text),
  ];
};

const MAX_PARTS = 5;

/** The API refuses shorter and longer texts. */
const parts: Finder = async (text, api) => {
  const { data, pagination } = await api.get('/payments', { params: { query: { search: text, limit: MAX_PARTS } } });
  const all: Match = {
    label: data.length === 0 ? `Payments with ${text}: look further back` : `All payments with ${text}`,
    detail: 'in the order, customer, amount or card',
    to: '/payments',
    search: { search: text },
  };
  const matches = data.map((payment) => ({
    label: `Payment ${payment.id}`,
    detail: partsOf(payment),
    to: `/payments/${payment.id}`,
  }));
  return matches.length > 1 || pagination.next_cursor !== null ? [...matches, all] : matches;
};

/** The parts of a payment by which people know it. */
const partsOf = (payment: Payment): string =>
  [orderOf(payment), customerText(payment), money(payment.amount, payment.currency), methodText(payment)]
    .filter((part) => part !== undefined)
    .join(', ');

type Payment = Schema<'Payment'>;

const keyOf = ({ metadata }: Payment, text: string): string | undefined =>
  Object.entries(metadata).find(
    ([, value]) => (typeof value === 'string' ? value : JSON.stringify(value)) === text,
  )?.[0];

function detailOf(payment: Payment, text: string): string {
  const key = keyOf(payment, text);
  return key === undefined ? payment.status : `${key}, ${payment.status}`;
}

/** Several payments: the list of all with the value of the last one, which is the least exact match. */
function listOf(payments: Payment[], text: string): Match[] {
  const last = payments.at(-1);
  if (payments.length < 2 || !last) return [];
  const search = filterOf(last, text);
  return search ? [{ label: `All payments with ${text}`, to: '/payments', search }] : [];
}

function filterOf(payment: Payment, text: string): Record<string, string> | undefined {
  if (payment.payment_session_id === text) return { payment_session_id: text };
  if (payment.customer?.reference === text) return { customer_reference: text };
  if (payment.customer?.email?.toLowerCase() === text.toLowerCase()) return { customer_email: text };
  const key = keyOf(payment, text);
  return key === undefined ? { provider_transaction_id: text } : { metadata: `${key}=${text}` };
}

const WEBHOOK_ID = /^whd_[0-9a-f-]{36}$/;

const deliveryById: Finder = async (text, api) => {
  if (!WEBHOOK_ID.test(text) && !isId(text)) return [];
  const { data } = await api.get('/webhooks/deliveries/{id}', {
    params: { path: { id: isId(text) ? Number(text) : text } },
  });
  return [{ label: `Delivery ${data.id}`, to: `/deliveries/${data.id}` }];
};

const isId = (text: string): boolean => /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));

/** No match for an id of another kind, an unknown id, and an object that the session may not read. */
function noMatch(error: unknown): Match[] {
  if (error instanceof ProblemError && [400, 403, 404, 422].includes(error.status)) return [];
  throw error;
}
