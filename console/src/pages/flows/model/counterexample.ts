import type { Schema } from '@payment-orchestrator/client';

export type Payment = Pick<
  Schema<'SimulateFlow'>,
  'amount' | 'currency' | 'country' | 'customer_id' | 'payment_method' | 'metadata'
>;

/** The payment in the API's message about a violated assertion; `undefined` if the message has none. */
export function counterexampleOf(message: string): Payment | undefined {
  const start = message.indexOf('{');
  for (let end = message.lastIndexOf('}'); start >= 0 && end > start; end = message.lastIndexOf('}', end - 1)) {
    try {
      return JSON.parse(message.slice(start, end + 1)) as Payment;
    } catch {
      // this brace belongs to later text
    }
  }
  return undefined;
}
