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

/** How many may be open, in each API process. */
const MAX_OF_CLIENT = 5;
const MAX_OF_MERCHANT = 20;
const MAX_STREAMS = 500;
/** A stream ends after so long, and its reader comes again with a token that is checked anew. */
const LIFETIME_MS = 300_000;
const HEARTBEAT_MS = 15_000;
/** How often a stream asks whether its reader's token is still accepted; those of one client share the look-up. */
const ACCEPTANCE_MS = 5_000;
/** How soon a reader sees what is new. */
const POLL_MS = 250;
const PAGE_SIZE = 50;
/** What a reader waits before it comes again. */
const RECONNECT_MS = 1_000;

/** Who reads, and whether it still may. */
export interface EventReader extends Pick<Principal, 'merchantId' | 'clientId'> {
  isStillAccepted: StillAccepted;
}

interface Session {
  merchantId: number;
  filter: EventFilter;
  signal: AbortSignal;
}

/**
 * Streams of Server-Sent Events. Each reads pages behind its own cursor, and no further than its reader takes them: a slow
 * one holds a page of memory and a place, and is cut off by the server when it takes nothing for 30 s.
 * - Who waits at the end looks again on a beat that all share, so that their looks are one statement, four times a
 *   second; without readers there is none. No LISTEN, which a pool between us and PostgreSQL would swallow, and no Redis,
 *   which need not be there.
 * - A stream holds nothing that matters: when it ends, for whatever reason, its reader goes on behind the last `id`.
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
      help: 'Readers of GET /events that are connected',
      collect() {
        this.set(open.size);
      },
    });
  }

  /** All end: their readers come again elsewhere. */
  onModuleDestroy(): void {
    for (const controller of this.open.keys()) controller.abort();
  }

  /** For this answer, and for as long as its connection. Throws `too_many_requests` when as many as may be are open. */
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
    // the stream itself would be told with its next event only
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
    const ofMerchant = open.filter((one) => one.merchantId === merchantId);
    const ofClient = ofMerchant.filter((one) => one.clientId === clientId);
    if (ofClient.length >= MAX_OF_CLIENT) throw tooMany(`a client may have ${MAX_OF_CLIENT} event streams open`);
    if (ofMerchant.length >= MAX_OF_MERCHANT)
      throw tooMany(`a merchant may have ${MAX_OF_MERCHANT} event streams open`);
    if (open.length >= MAX_STREAMS) throw tooMany('as many event streams are open as this process takes');
  }

  /** The first one says where the reader is, so that it loses nothing when it is cut off before the first event. */
  private async *frames(start: EventCursor, { merchantId, filter, signal }: Session): AsyncGenerator<string> {
    let at = start;
    let saidAt = performance.now();
    yield `retry: ${RECONNECT_MS}\n${position(at)}`;
    while (!signal.aborted) {
      // a database that is away ends the stream: the reader is told so by the answer to its next request
      const page = await this.pages.page(merchantId, at, filter, PAGE_SIZE).catch(() => undefined);
      if (!page) return;
      for (const event of page.events) {
        if (signal.aborted) return;
        yield frame(event);
      }
      at = page.next;
      if (page.events.length > 0) saidAt = performance.now();
      else if (performance.now() - saidAt >= HEARTBEAT_MS) {
        saidAt = performance.now();
        yield `: heartbeat\n${position(at)}`;
      }
      // until the beat that all readers of this process share
      if (!page.hasMore) await interruptiblePause(POLL_MS - (performance.now() % POLL_MS), signal);
    }
  }
}

/** Also when nobody can say whether it is accepted: the answer to the reader's next request tells it why. */
async function endUnaccepted({ isStillAccepted }: EventReader, controller: AbortController): Promise<void> {
  const isAccepted = await Promise.resolve()
    .then(isStillAccepted)
    .catch(() => false);
  if (!isAccepted) controller.abort();
}

const tooMany = (detail: string): Problem =>
  new Problem('too_many_requests', { detail, headers: { 'retry-after': '10' } });

/** Without data it is no event, but tells the reader where to go on. */
const position = (at: EventCursor): string => `id: ${encodeEventCursor(at)}\n\n`;

const frame = ({ cursor, type, json }: RenderedEvent): string =>
  `id: ${encodeEventCursor(cursor)}\nevent: ${type}\ndata: ${json}\n\n`;
