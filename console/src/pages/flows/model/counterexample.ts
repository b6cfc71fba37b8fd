import type { Schema } from '@payment-orchestrator/client';

export type Payment = Pick<
  Schema<'SimulateFlow'>,
  'amount' | 'currency' | 'country' | 'customer_id' | 'payment_method' | 'metadata'
>;

/** The payment in the API's message about a violated assertion; `undefined` if the message has none. */
export const counterexampleOf = (message: string): Payment | undefined => paymentIn(message)?.payment;

export interface ViolationText {
  /** The assertion and how the payment violates it, with the names of shops. */
  claim: string;
  /** The payment, as a text for each of its fields. */
  facts: string[];
  payment: Payment | undefined;
}

/** Divides the API's message about a violated assertion: the payment in it is JSON, and shops are named by their ids. */
export function violationOf(message: string, nameOf: (shopId: number) => string): ViolationText {
  const found = paymentIn(message);
  const text = found ? message.replace(found.text, 'a payment') : message;
  const claim = text.replace(/\bshop (\d+)/g, (_, id) => nameOf(Number(id)));
  return { claim, facts: found ? factsOf(found.payment) : [], payment: found?.payment };
}

function paymentIn(message: string): { text: string; payment: Payment } | undefined {
  const start = message.indexOf('{');
  for (let end = message.lastIndexOf('}'); start >= 0 && end > start; end = message.lastIndexOf('}', end - 1)) {
    const text = message.slice(start, end + 1);
    try {
      return { text, payment: JSON.parse(text) as Payment };
    } catch {
      // this brace belongs to later text
    }
  }
  return undefined;
}

/** The fields of a payment and their values, such as `currency EUR`. */
const factsOf = (value: object, prefix = ''): string[] =>
  Object.entries(value).flatMap(([name, part]: [string, unknown]) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? factsOf(part, `${prefix}${name}.`)
      : [`${prefix}${name} ${typeof part === 'string' ? part : JSON.stringify(part)}`],
  );
