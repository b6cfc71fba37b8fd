import type { Schema } from '@payment-orchestrator/client';

export type Payment = Pick<Schema<'SimulateFlow'>, 'amount' | 'currency' | 'country' | 'customer_id' | 'metadata'>;

/** The payment that the API gives with an assertion that is broken; `undefined`: the message names none. */
export function counterexampleOf(message: string): Payment | undefined {
  const start = message.indexOf('{');
  for (let end = message.lastIndexOf('}'); start >= 0 && end > start; end = message.lastIndexOf('}', end - 1)) {
    try {
      return JSON.parse(message.slice(start, end + 1)) as Payment;
    } catch {
      // the brace belongs to what follows
    }
  }
  return undefined;
}
