import type { Schema } from '@payment-orchestrator/client';

export type EventType = Schema<'Event'>['type'];

export const EVENT_TYPES: readonly EventType[] = [
  'payment.status_changed',
  'delivery.failed',
  'endpoint.failing',
  'endpoint.recovered',
  'refund.created',
  'refund.updated',
  'dispute.opened',
  'dispute.updated',
  'dispute.closed',
];

/** The search parameters of the page. */
export interface DevelopersSearch {
  /** Only events of this type; absent: all. */
  type?: EventType;
}

/** Ignores an unknown type, so that an old link still opens the page. */
export function readSearch({ type }: Record<string, unknown>): DevelopersSearch {
  const known = EVENT_TYPES.find((each) => each === type);
  return known === undefined ? {} : { type: known };
}
