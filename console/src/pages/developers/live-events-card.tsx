import type { Schema } from '@payment-orchestrator/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api } from '../../api/client';
import { EVENT_TONES, type EventType } from '../../api/event-types';
import { useLiveEvents } from '../../api/live-events';
import { useCan } from '../../api/session';
import { plainText, useEventTypes } from '../../api/use-event-types';
import { useShops } from '../../api/use-shops';
import { Badge, type Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Select } from '../../ui/field';
import { WithScope } from '../../ui/with-scope';
import { ObjectLink } from '../../ui/object-link';
import { ProblemNotice } from '../../ui/problem-notice';
import { Code, Time } from '../../ui/values';
import { EMPTY_FEED, eventSummary, paused, received, resumed, withHistory } from './event-feed';
import { readSearch } from './event-filter';

type Event = Schema<'Event'>;

const PAST_EVENTS = 20;

/** Shows the stream of `GET /events`. */
export function LiveEventsCard() {
  const mayRead = useCan('webhooks:read');
  if (mayRead) return <LiveEvents />;
  return (
    <Card title="Live events">
      <WithScope scope="webhooks:read">{null}</WithScope>
    </Card>
  );
}

function LiveEvents() {
  const [feed, setFeed] = useState(EMPTY_FEED);
  const [error, setError] = useState<unknown>();
  const { isOpen } = useLiveEvents((event) => setFeed((now) => received(now, event)));
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  // runs again after a reconnect, because a refused stream starts again with new events only
  useEffect(() => {
    const query = { last: PAST_EVENTS, limit: PAST_EVENTS };
    api.get('/events', { params: { query } }).then(({ data }) => {
      setError(undefined);
      setFeed((now) => withHistory(now, data));
    }, setError);
  }, [isOpen]);
  const { type } = readSearch(useSearch({ strict: false }));
  const shown = feed.shown.filter((event) => type === undefined || event.type === type);
  const held = feed.held.filter((event) => type === undefined || event.type === type).length;
  const toggle = (): void => setFeed(feed.isPaused ? resumed : paused);
  return (
    <Card
      title={
        <span className="row">
          Live events <StreamState isOpen={isOpen} wasOpen={wasOpen} isPaused={feed.isPaused} />
        </span>
      }
      actions={
        <>
          <Button onClick={toggle} aria-pressed={feed.isPaused}>
            {feed.isPaused ? resumeLabel(held) : 'Pause'}
          </Button>
          <Button onClick={() => setFeed((now) => ({ ...now, shown: [], held: [] }))}>Clear</Button>
        </>
      }
    >
      <TypeFilter type={type} />
      <ProblemNotice error={error} />
      {!isOpen && wasOpen && (
        <p className="notice notice-warn">
          The stream is interrupted. It reconnects within 30 seconds and then adds the missed events.
        </p>
      )}
      {shown.length === 0 ? (
        <p className="muted">
          No {type === undefined ? '' : `${type} `}events yet. Create a payment to see its status changes here.
        </p>
      ) : (
        <ol className="events" aria-label="Events, newest first">
          {shown.map((event) => (
            <EventItem key={event.id} event={event} />
          ))}
        </ol>
      )}
    </Card>
  );
}

const resumeLabel = (held: number): string => (held === 0 ? 'Resume' : `Resume (${held} new)`);

/** The state of the stream; screen readers announce its changes. */
function StreamState({ isOpen, wasOpen, isPaused }: { isOpen: boolean; wasOpen: boolean; isPaused: boolean }) {
  const [tone, text]: [Tone, string] = !isOpen
    ? ['warn', wasOpen ? 'reconnecting …' : 'connecting …']
    : isPaused
      ? ['neutral', 'paused']
      : ['good', 'connected'];
  return (
    <span role="status" className="stream-state">
      <Badge tone={tone}>{text}</Badge>
    </span>
  );
}

function TypeFilter({ type }: { type: EventType | undefined }) {
  const navigate = useNavigate();
  const { types } = useEventTypes();
  const choose = (value: string): void =>
    void navigate({ to: '/developers', search: readSearch({ type: value }), replace: true });
  return (
    <div className="filters">
      <Select
        label="Type"
        value={type ?? ''}
        onChange={({ target }) => choose(target.value)}
        options={[
          { value: '', label: 'All types' },
          ...types.map(({ name, description }) => ({ value: name, label: `${name}: ${plainText(description)}` })),
        ]}
      />
    </div>
  );
}

/** A summary line that opens the whole event. */
function EventItem({ event }: { event: Event }) {
  const [isOpen, setOpen] = useState(false);
  const { shop_id: shopId } = event;
  const shops = useShops();
  const shopName = shopId === null ? null : (shops.get(shopId)?.name ?? `shop ${shopId}`);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <Time value={event.created_at} /> <Badge tone={EVENT_TONES[event.type]}>{event.type}</Badge>{' '}
          <span className="muted">
            {shopName !== null && <bdi>{shopName}</bdi>}
            {event.payment_id !== null && `, payment ${event.payment_id}`}
          </span>{' '}
          <bdi>{eventSummary(event)}</bdi>
        </summary>
        {isOpen && (
          <div className="stack">
            <p className="row">
              {event.payment_id !== null && (
                <ObjectLink type="payment" id={event.payment_id}>
                  Payment {event.payment_id}
                </ObjectLink>
              )}
              {shopId !== null && (
                <ObjectLink type="shop" id={shopId}>
                  Shop <bdi>{shopName}</bdi>
                </ObjectLink>
              )}
            </p>
            <Code value={event} />
          </div>
        )}
      </details>
    </li>
  );
}
