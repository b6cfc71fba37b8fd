import type { Schema } from '@payment-orchestrator/client';

type Event = Schema<'Event'>;

/** Limit of the feed. A busy merchant has this many events in a second. */
export const MAX_EVENTS = 200;

/** The shown events, newest first, and the events that arrived while the feed was paused. */
export interface EventFeed {
  shown: readonly Event[];
  held: readonly Event[];
  isPaused: boolean;
}

export const EMPTY_FEED: EventFeed = { shown: [], held: [], isPaused: false };

/** Adds a live event, unless the feed has it already. */
export function received(feed: EventFeed, event: Event): EventFeed {
  const isKnown = [...feed.held, ...feed.shown].some(({ id }) => id === event.id);
  if (isKnown) return feed;
  return feed.isPaused
    ? { ...feed, held: newest([event, ...feed.held]) }
    : { ...feed, shown: newest([event, ...feed.shown]) };
}

/** Adds events from before the page was opened, or from a gap in the stream, sorted by time. `past` is oldest first. */
export function withHistory(feed: EventFeed, past: readonly Event[]): EventFeed {
  const known = new Set([...feed.held, ...feed.shown].map(({ id }) => id));
  const missed = past.filter(({ id }) => !known.has(id)).reverse();
  return feed.isPaused
    ? { ...feed, held: newest(byTime([...feed.held, ...missed])) }
    : { ...feed, shown: newest(byTime([...feed.shown, ...missed])) };
}

export const paused = (feed: EventFeed): EventFeed => ({ ...feed, isPaused: true });

export const resumed = ({ shown, held }: EventFeed): EventFeed => ({
  shown: newest(byTime([...held, ...shown])),
  held: [],
  isPaused: false,
});

const byTime = (events: readonly Event[]): readonly Event[] =>
  events.toSorted((one, other) => other.created_at.localeCompare(one.created_at));

const newest = (events: readonly Event[]): readonly Event[] => events.slice(0, MAX_EVENTS);

/** A short summary of the event's data. */
export function eventSummary({ type, data }: Event): string {
  const text = (name: string): string => {
    const value = data[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  if (type === 'payment.status_changed') return statusOf(data['payment']);
  if (type === 'delivery.failed') {
    return `${text('webhook_endpoint')} after ${text('attempts')} attempts: ${text('last_error') || text('last_status_code')}`;
  }
  if (type.startsWith('endpoint.')) return text('webhook_endpoint');
  if (type.startsWith('shop.')) return text('provider');
  if (type === 'flow.renamed') return `${text('previous_name')}, now ${text('flow_name')}`;
  if (type.startsWith('flow.')) return `${text('flow_name')}, version ${text('version')}`;
  if (type === 'payment.amounts_changed') return text('cause');
  return [text('kind'), text('status'), [text('amount'), text('currency')].join(' ')]
    .filter((part) => part.trim() !== '')
    .join(', ');
}

function statusOf(payment: unknown): string {
  const status = typeof payment === 'object' && payment !== null && 'status' in payment ? payment.status : undefined;
  return typeof status === 'string' ? status : '';
}
