// Compiled by the test of the catalogue as a strict program of a user, and never run.
import { type EventOf, verify, type WebhookEvent } from '@payment-orchestrator/receiver';

export async function program(body: Uint8Array, headers: Headers): Promise<string> {
  return wordsOf(await verify(body, headers, 'whsec_…'));
}

/** `event` narrows the union, also next to types that are newer than the package. */
function wordsOf(event: WebhookEvent): string {
  switch (event.event) {
    case 'payment.status_changed':
      return event.payment.status;
    case 'refund.created':
      return event.data.status satisfies 'pending' | 'succeeded' | 'failed';
    case 'flow.rolled_back':
      return `${event.data.version} ${event.shop_id ?? 'no shop'}`;
    default:
      return event.event;
  }
}

export const isLarge = ({ data }: EventOf<'payment.late_charge'>): boolean => data.amount > 1_000;

// @ts-expect-error there is no such type
export type Made = EventOf<'payment.made'>;
// @ts-expect-error a refund in an event has no reason
export const reasonOf = ({ data }: EventOf<'refund.created'>): unknown => data.reason;
