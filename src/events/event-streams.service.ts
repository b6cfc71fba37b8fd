import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Principal, StillAccepted } from '../access/access.js';
import { Metrics } from '../platform/observability/metrics.js';
import { interruptiblePause } from '../shared/clock.js';
import { Problem } from '../shared/problem.js';
import { encodeEventCursor, type EventCursor } from './event-cursor.js';
import type { EventFilter } from './event-log.service.js';
import { EventPages, type RenderedEvent } from './event-pages.service.js';

/** The maximum number of open streams in each API process. */
const MAX_PER_CLIENT = 5;
const MAX_PER_MERCHANT = 20;
const MAX_STREAMS = 500;
/** The lifetime of a stream. Its reader then reconnects, and its token is checked again. */
const LIFETIME_MS = 300_000;
const HEARTBEAT_MS = 15_000;
/** How often a stream checks that its reader's token is still accepted; streams of one client share the look-up. */
const ACCEPTANCE_MS = 5_000;
/** The maximum delay of a new event for a reader. */
const POLL_MS = 250;
const PAGE_SIZE = 50;
/** How long a reader waits before it reconnects. */
const RECONNECT_MS = 1_000;

/** The reader's identity, and a check that its token is still accepted. */
export interface EventReader extends Pick<Principal, 'merchantId' | 'clientId'> {
  isStillAccepted: StillAccepted;
}

interface Session {
  merchantId: number;
  filter: EventFilter;
  signal: AbortSignal;
}

/**
 * Streams of Server-Sent Events. Each reads pages after its own cursor, only as fast as its reader receives them. A
 * slow reader occupies memory for one page and one place. The server disconnects it if it receives nothing for 30 s.
 * - Readers at the end poll at the same times, so that their scans share one statement, four times a second; without
 * readers there is none. LISTEN would not work through a connection pooler, and Redis is optional.
 * - A stream has no state of its own: after any end, its reader continues after the last `id`.
 */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly open = new Map<AbortController, EventReader>();

  constructor(
    private readonly pages: EventPages,
    metrics: Metrics,
  ) {
    const { open } = this;
    metrics.gauge({
      name: 'event_streams_open',
      help: 'Readers connected to GET /events',
      collect() {
        this.set(open.size);
      },
    });
  }

  /** Ends all streams; their readers reconnect to another process. */
  onModuleDestroy(): void {
    for (const controller of this.open.keys()) controller.abort();
  }

  /**
   * Opens a stream for this answer, for the lifetime of its connection. Throws `too_many_requests` if the maximum of
   * streams is open.
   */
  stream(reader: EventReader, start: EventCursor, filter: EventFilter, answer: ServerResponse): Readable {
    this.requireCapacity(reader);
    const controller = new AbortController();
    const { signal } = controller;
    const lifetime = setTimeout(() => controller.abort(), LIFETIME_MS);
    const acceptance = setInterval(() => void endUnaccepted(reader, controller), ACCEPTANCE_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(lifetime);
      clearInterval(acceptance);
    });
    this.open.set(controller, reader);
    const stream = Readable.from(this.frames(start, { merchantId: reader.merchantId, filter, signal }));
    // otherwise the stream would notice the closed connection only at its next event
    if (answer.destroyed) controller.abort();
    else answer.once('close', () => controller.abort());
    stream.once('close', () => {
      controller.abort();
      this.open.delete(controller);
    });
    return stream;
  }

  private requireCapacity({ clientId, merchantId }: EventReader): void {
    const open = [...this.open.values()];
    const merchantStreams = open.filter((one) => one.merchantId === merchantId);
    const clientStreams = merchantStreams.filter((one) => one.clientId === clientId);
    if (clientStreams.length >= MAX_PER_CLIENT) throw tooMany(`a client may have ${MAX_PER_CLIENT} open event streams`);
    if (merchantStreams.length >= MAX_PER_MERCHANT)
      throw tooMany(`a merchant may have ${MAX_PER_MERCHANT} open event streams`);
    if (open.length >= MAX_STREAMS) throw tooMany('this process has the maximum number of open event streams');
  }

  /**
   * The first frame contains the reader's position. So the reader loses no event if the stream ends before its first
   * event.
   */
  private async *frames(start: EventCursor, { merchantId, filter, signal }: Session): AsyncGenerator<string> {
    let at = start;
    let sentAt = performance.now();
    yield `retry: ${RECONNECT_MS}\n${position(at)}`;
    while (!signal.aborted) {
      // an unavailable database ends the stream: the reader gets the reason with its next request
      const page = await this.pages.page(merchantId, at, filter, PAGE_SIZE).catch(() => undefined);
      if (!page) return;
      for (const event of page.events) {
        if (signal.aborted) return;
        yield frame(event);
      }
      at = page.next;
      if (page.events.length > 0) sentAt = performance.now();
      else if (performance.now() - sentAt >= HEARTBEAT_MS) {
        sentAt = performance.now();
        yield `: heartbeat\n${position(at)}`;
      }
      // until the next poll time, which all readers of this process share
      if (!page.hasMore) await interruptiblePause(POLL_MS - (performance.now() % POLL_MS), signal);
    }
  }
}

/** Ends the stream also if the check fails: the reader gets the reason with its next request. */
async function endUnaccepted({ isStillAccepted }: EventReader, controller: AbortController): Promise<void> {
  const isAccepted = await Promise.resolve()
    .then(isStillAccepted)
    .catch(() => false);
  if (!isAccepted) controller.abort();
}

const tooMany = (detail: string): Problem =>
  new Problem('too_many_requests', { detail, headers: { 'retry-after': '10' } });

/** A frame without data is not an event, but sets the reader's position. */
const position = (at: EventCursor): string => `id: ${encodeEventCursor(at)}\n\n`;

const frame = ({ cursor, type, json }: RenderedEvent): string =>
  `id: ${encodeEventCursor(cursor)}\nevent: ${type}\ndata: ${json}\n\n`;
