import type { Schema } from '@payment-orchestrator/client';

type Action = Schema<'AuditAction'>;
type ObjectType = Schema<'AuditObjectType'>;
type Actor = Schema<'AuditActorType'>;

/** Every action, in words; the type has them complete. */
const ACTION_WORDS: Record<Action, string> = {
  'shop.created': 'Shop created',
  'shop.updated': 'Shop changed',
  'shop.webhook_secret_rotated': 'Webhook secret rotated',
  'shop.webhook_key_rotated': 'Webhook key rotated',
  'shop.credentials_checked': 'Credentials checked',
  'flow.created': 'Flow created',
  'flow.updated': 'Flow changed',
  'flow.version_drafted': 'Version of a flow drafted',
  'flow.version_activated': 'Version of a flow activated',
  'flow.deleted': 'Flow deleted',
  'client.created': 'Client created',
  'client.revoked': 'Client revoked',
  'client.secret_rotated': 'Client secret rotated',
  'delivery.retried': 'Delivery sent again',
  'deliveries.replayed': 'Deliveries of a shop replayed',
  'deliveries.redelivered': 'Deliveries sent again by a filter',
  'webhook.tested': 'Webhook address tested',
  'webhook.conformance_run': 'Receiver tested for conformance',
  'customer.erased': 'Customer erased',
  'alarm.acknowledged': 'Alarm of a provider acknowledged',
  'charge.given_back': 'Unknown charge given back',
};
/** What may come of a newer API is told by its name. */
export const actionText = (action: string): string => (ACTION_WORDS as Record<string, string>)[action] ?? action;

export const ACTIONS = Object.keys(ACTION_WORDS) as Action[];
export const OBJECT_TYPES = Object.keys({
  shop: true,
  flow: true,
  client: true,
  delivery: true,
  merchant: true,
  customer: true,
  notification: true,
} satisfies Record<ObjectType, true>) as ObjectType[];

/** Who acts, in words. */
export const ACTORS: Record<Actor, string> = {
  client: 'API client',
  cli: 'command line, on the server',
  system: 'the service itself',
};

/** The filter of the log, as it stands in the URL: by the words of `GET /audit`. */
export interface AuditSearch {
  action?: Action | undefined;
  object_type?: ObjectType | undefined;
  object_id?: string | undefined;
  actor?: Actor | undefined;
  client_id?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** What is no filter is left out. */
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

/** A number in the URL is a text here. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' || text.length > 300 ? undefined : text;
}

const timeOf = (value: unknown): string | undefined =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : undefined;
