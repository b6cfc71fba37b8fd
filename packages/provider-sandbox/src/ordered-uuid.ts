import type { ConnectorContext } from '@payment-orchestrator/provider-kit';

/** A UUIDv7 (RFC 9562, 5.7): the keys of new rows lie side by side in an index. */
export function orderedUuid({ clock, random }: Pick<ConnectorContext, 'clock' | 'random'>): string {
  const time = clock.now().getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.uuid().slice(15)}`;
}
