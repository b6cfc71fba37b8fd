import { AnswerRedaction } from '../../platform/idempotency/idempotency.service.js';
import { COMPLETE_KEY, COMPLETE_KEYS } from './erasure.queries.js';

/** Stored answers to `POST /payments` lose the personal data of an erased customer. */
export class ErasedAnswers extends AnswerRedaction {
  readonly complete = { many: COMPLETE_KEYS, one: COMPLETE_KEY };

  redacted(responseBody: string): string {
    return erasedAnswer(responseBody);
  }
}

/** The fields of an answer to `POST /payments` that may hold personal data. */
interface PaymentAnswer {
  data: {
    customer: { id: number } | null;
    metadata: unknown;
    provider_metadata: unknown;
    webhook_endpoint: string | null;
    /** An answer of an earlier version has none. */
    payment_method?: { card?: Record<string, unknown> | null } | null;
  };
}

/** A stored answer to `POST /payments` without personal data, for repeats after the erasure of the customer. */
function erasedAnswer(body: string): string {
  const answer = JSON.parse(body) as PaymentAnswer;
  const { customer, webhook_endpoint: endpoint, payment_method: method } = answer.data;
  const data = {
    ...answer.data,
    customer: customer && { id: customer.id },
    metadata: {},
    provider_metadata: {},
    webhook_endpoint: endpoint && new URL(endpoint).origin,
    // as in the payment's row: the remaining fields of a card is equal for many payers
    ...(method?.card && {
      payment_method: {
        ...method,
        card: { ...method.card, last4: undefined, expiry_month: undefined, expiry_year: undefined },
      },
    }),
  };
  return JSON.stringify({ ...answer, data });
}
