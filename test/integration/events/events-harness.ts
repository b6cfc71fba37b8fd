import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { type StreamedEvent, serverSentEvents } from '@payment-orchestrator/client/cli/listen/server-sent-events';
import type { ApiClient } from '../../support/app/api-client.js';
import { eventually } from '../../support/eventually.js';

export interface ApiEvent {
  id: string;
  type: string;
  created_at: string;
  shop_id: number;
  payment_id: number | null;
  data: Record<string, unknown> & { payment?: { id: number; status: string } };
}

export interface EventsPage {
  data: ApiEvent[];
  pagination: { next_cursor: string; has_more: boolean };
}

export type EventsQuery = Record<string, string | number>;

export function pathOf(query: EventsQuery): string {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]),
  );
  return `/events?${search.toString()}`;
}

/** One page, as a polling client requests it. */
export async function pageOf(api: ApiClient, query: EventsQuery = {}): Promise<EventsPage> {
  const { status, body } = await api.get<EventsPage>(pathOf(query));
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** All events after a cursor that are visible now. */
export async function following(
  api: ApiClient,
  after?: string,
  query: EventsQuery = {},
): Promise<{ events: ApiEvent[]; cursor: string }> {
  const events: ApiEvent[] = [];
  for (let cursor = after; ;) {
    const page = await pageOf(api, { ...query, ...(cursor !== undefined && { after: cursor }) });
    events.push(...page.data);
    cursor = page.pagination.next_cursor;
    if (!page.pagination.has_more) return { events, cursor };
  }
}

/**
 * The cursor after both changes of a new payment. An event is visible when no earlier transaction of any test is in
 * progress.
 */
export const cursorBehind = (api: ApiClient, paymentId: number): Promise<string> =>
  eventually(async () => {
    const { events, cursor } = await following(api);
    return events.filter(({ payment_id: id }) => id === paymentId).length === 2 ? cursor : null;
  });

/** The first `count` events after a cursor, in the order in which they become visible. */
export const firstOf = (api: ApiClient, count: number, after?: string): Promise<ApiEvent[]> =>
  eventually(async () => {
    const { events } = await following(api, after);
    return events.length >= count && events;
  });

/** A separate connection to the stream: a pool would reopen a closed one, and keep it. */
export interface EventStream {
  status: number;
  headers: IncomingHttpHeaders;
  events: AsyncGenerator<StreamedEvent, void>;
  close(): void;
}

export async function openStream(api: ApiClient, query: EventsQuery = {}, lastEventId?: string): Promise<EventStream> {
  const headers = {
    authorization: `Bearer ${api.token}`,
    accept: 'text/event-stream',
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  };
  const request = get(new URL(pathOf(query), api.url), { agent: false, headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return {
    status: response.statusCode!,
    headers: response.headers,
    events: serverSentEvents(response as AsyncIterable<Uint8Array>),
    close: () => response.destroy(),
  };
}

/** The next frame, including frames with only a position. */
export async function next({ events }: EventStream): Promise<StreamedEvent> {
  const result = await events.next();
  assert.ok(!result.done, 'the stream ended');
  return result.value;
}

/** The next `count` events of a stream, parsed, without frames that have only a position. */
export async function take(stream: EventStream, count: number): Promise<ApiEvent[]> {
  const events: ApiEvent[] = [];
  while (events.length < count) {
    const { data } = await next(stream);
    if (data !== null) events.push(JSON.parse(data) as ApiEvent);
  }
  return events;
}
