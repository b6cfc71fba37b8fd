import { type PaymentOrchestratorClient, ProblemError } from '@payment-orchestrator/client';

/** A page that shows the object with the id. */
export interface Match {
  label: string;
  to: string;
  search?: Record<string, string>;
}

export type Reader = Pick<PaymentOrchestratorClient, 'get'>;

/**
 * Finds all objects with this id: a payment by its own id, its session id or its transaction id, a delivery by its number or
 * webhook-id. Several payments of a session or transaction are one match: their list. Throws when the API is unavailable.
 */
export async function find(text: string, api: Reader): Promise<Match[]> {
  const finders = [paymentById, deliveryById, paymentsBy('payment_session_id'), paymentsBy('provider_transaction_id')];
  const found = await Promise.all(finders.map((finder) => finder(text, api).catch(noMatch)));
  // one text may be a payment's own id, its session id and its transaction id
  return [...new Map(found.flatMap((match) => (match ? [[match.label, match]] : []))).values()];
}

type Finder = (text: string, api: Reader) => Promise<Match | null>;

const WEBHOOK_ID = /^whd_[0-9a-f-]{36}$/;

const numberOf = (text: string): number | undefined => {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(id) ? id : undefined;
};

const thePayment = (id: number): Match => ({ label: `Payment ${id}`, to: `/payments/${id}` });

const paymentById: Finder = async (text, api) => {
  const id = numberOf(text);
  if (id === undefined) return null;
  const { data } = await api.get('/payments/{id}', { params: { path: { id } } });
  return thePayment(data.id);
};

const deliveryById: Finder = async (text, api) => {
  const id = WEBHOOK_ID.test(text) ? text : numberOf(text);
  if (id === undefined) return null;
  const { data } = await api.get('/webhooks/deliveries/{id}', { params: { path: { id } } });
  return { label: `Delivery ${data.id}`, to: `/deliveries/${data.id}` };
};

const NAMES = { payment_session_id: 'session', provider_transaction_id: 'transaction' } as const;

const paymentsBy =
  (field: keyof typeof NAMES): Finder =>
  async (text, api) => {
    const { data } = await api.get('/payments', { params: { query: { [field]: text, limit: 2 } } });
    if (data.length > 1)
      return { label: `Payments of ${NAMES[field]} ${text}`, to: '/payments', search: { [field]: text } };
    return data[0] ? thePayment(data[0].id) : null;
  };

/** `null` for an id of another kind, an unknown id, and an object that the session may not read. */
function noMatch(error: unknown): null {
  if (error instanceof ProblemError && [400, 403, 404, 422].includes(error.status)) return null;
  throw error;
}
