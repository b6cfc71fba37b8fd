import type { Schema } from '@payment-orchestrator/client';

export type EventType = Schema<'Event'>['type'];

/** The tone of every type. The type comes from the API: a new one does not compile until it is added here. */
export const EVENT_TONES = {
  'payment.status_changed': 'info',
  'payment.amounts_changed': 'info',
  'capture.failed': 'bad',
  'authorization.lapsing': 'warn',
  'refund.created': 'info',
  'refund.updated': 'info',
  'dispute.opened': 'bad',
  'dispute.updated': 'info',
  'dispute.due': 'warn',
  'dispute.closed': 'info',
  'delivery.failed': 'bad',
  'endpoint.failing': 'bad',
  'endpoint.recovered': 'good',
  'endpoint.disabled': 'bad',
  'shop.down': 'bad',
  'shop.up': 'good',
  'approvals.fell': 'bad',
  'operation.stuck': 'bad',
  'payment.late_charge': 'warn',
  'approval.requested': 'info',
  'flow.activated': 'info',
  'flow.rolled_back': 'warn',
  'flow.renamed': 'info',
} as const satisfies Record<EventType, string>;

export const EVENT_TYPES = Object.keys(EVENT_TONES) as EventType[];

/** The type as words, such as `refund updated`. */
export const eventText = (type: string): string => type.replaceAll(/[._]/g, ' ');
