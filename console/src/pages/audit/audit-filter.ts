import type { Schema } from '@payment-orchestrator/client';

type Action = Schema<'AuditAction'>;
type ObjectType = Schema<'AuditObjectType'>;
type Actor = Schema<'AuditActorType'>;

/** The text of every action. The type comes from the API: a new action does not compile until it is added here. */
const ACTION_TEXTS: Record<Action, string> = {
  'shop.created': 'Shop created',
  'shop.updated': 'Shop changed',
  'shop.webhook_secret_rotated': 'Webhook secret rotated',
  'shop.webhook_key_rotated': 'Webhook key rotated',
  'shop.credentials_checked': 'Credentials checked',
  'flow.created': 'Flow created',
  'flow.updated': 'Flow changed',
  'flow.version_drafted': 'Flow version drafted',
  'flow.approval_requested': 'Approval of a flow version requested',
  'flow.approval_withdrawn': 'Request for an approval withdrawn',
  'flow.version_approved': 'Flow version approved',
  'flow.version_rejected': 'Flow version rejected',
  'flow.version_commented': 'Flow version commented',
  'flow.version_activated': 'Flow version activated',
  'flow.rollout_started': 'Rollout started',
  'flow.rollout_changed': 'Rollout changed',
  'flow.rollout_promoted': 'Rollout promoted',
  'flow.rollout_aborted': 'Rollout aborted',
  'flow.deleted': 'Flow deleted',
  'client.created': 'Client created',
  'client.updated': 'Client changed',
  'client.revoked': 'Client revoked',
  'client.secret_rotated': 'Client secret rotated',
  'delivery.retried': 'Delivery sent again',
  'deliveries.replayed': 'Deliveries of a shop replayed',
  'deliveries.redelivered': 'Filtered deliveries sent again',
  'endpoint.created': 'Endpoint created',
  'endpoint.updated': 'Endpoint changed',
  'endpoint.deleted': 'Endpoint deleted',
  'endpoint.paused': 'Endpoint paused',
  'endpoint.resumed': 'Endpoint resumed',
  'endpoint.disabled': 'Endpoint disabled',
  'endpoint.secret_rotated': 'Endpoint secret rotated',
  'endpoint.tested': 'Endpoint tested',
  'endpoint.conformance_run': 'Endpoint conformance tested',
  'webhook.tested': 'Webhook address tested',
  'webhook.conformance_run': 'Receiver conformance tested',
  'customer.erased': 'Customer erased',
  'payment.capture_requested': 'Capture requested by a person',
  'payment.cancel_requested': 'Cancellation requested by a person',
  'payment.refund_requested': 'Refund requested by a person',
  'payment.updated': 'Payment changed',
  'payment_method.saved': 'Payment method saved',
  'payment_method.removed': 'Payment method removed',
  'alarm.acknowledged': 'Provider alarm acknowledged',
  'operation.settlement_requested': 'Settlement by hand requested',
  'operation.settled': 'Operation settled by hand',
  'charge.given_back': 'Unknown charge refunded',
};
/** The text of an action. An action of a newer API is shown by its name. */
export const actionText = (action: string): string => (ACTION_TEXTS as Record<string, string>)[action] ?? action;

export const ACTIONS = Object.keys(ACTION_TEXTS) as Action[];
export const OBJECT_TYPES = Object.keys({
  shop: true,
  flow: true,
  client: true,
  delivery: true,
  endpoint: true,
  merchant: true,
  customer: true,
  notification: true,
  payment: true,
} satisfies Record<ObjectType, true>) as ObjectType[];

/** The text of every kind of actor. */
export const ACTORS: Record<Actor, string> = {
  client: 'API client',
  cli: 'command line on the server',
  system: 'the service itself',
};

/** The search parameters of the page's URL, with the names of `GET /audit`. */
export interface AuditSearch {
  action?: Action | undefined;
  object_type?: ObjectType | undefined;
  object_id?: string | undefined;
  actor?: Actor | undefined;
  client_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Removes unknown and invalid parameters. */
export function validAuditSearch(search: Record<string, unknown>): AuditSearch {
  const filter = {
    action: ACTIONS.find((each) => each === search.action),
    object_type: OBJECT_TYPES.find((each) => each === search.object_type),
    object_id: textOf(search.object_id),
    actor: (Object.keys(ACTORS) as Actor[]).find((each) => each === search.actor),
    client_id: textOf(search.client_id),
    from: timeOf(search.from),
    to: timeOf(search.to),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** The router parses a number in the URL; the filter needs it as a text. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' || text.length > 300 ? undefined : text;
}

const timeOf = (value: unknown): string | undefined =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : undefined;
