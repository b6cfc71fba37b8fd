import { Injectable } from '@nestjs/common';
import { Batcher } from '../shared/batcher.js';
import { type PastChange, StatusBodies } from '../payments/store/status-bodies.service.js';
import type { EventType } from '../webhooks/event-types/event-catalogue.js';
import { badEventCursor, type EventCursor, FIRST, isWithin } from './event-cursor.js';
import { type EventFilter, EventLog, type EventScan } from './event-log.service.js';
import type { EventRow } from './events.queries.js';

/** The start of a reader: after a cursor, or with the latest `last` events; neither: with the first event. */
export interface EventStart {
  after: EventCursor | undefined;
  last: number | undefined;
}

export interface RenderedEvent {
  cursor: EventCursor;
  type: EventType;
  /** One line. `data` comes last, byte for byte as in the webhook. */
  json: string;
}

export interface EventPage {
  events: RenderedEvent[];
  /** The start of the next page, also if there is no next event yet. */
  next: EventCursor;
  hasMore: boolean;
}

/** The maximum size of a page. */
const MAX_BYTES = 1024 * 1024;
const BODIES_AT_ONCE = 25;

/** Pages of a merchant's events, with their bodies. */
@Injectable()
export class EventPages {
  private readonly bodies: Batcher<EventRow, string>;

  constructor(
    private readonly log: EventLog,
    bodies: StatusBodies,
  ) {
    // several readers of one merchant request the same bodies concurrently
    this.bodies = new Batcher(async (rows) => bodies.of(await Promise.all(rows.map((row) => this.changeOf(row)))), {
      maxSize: 200,
      maxConcurrent: 2,
    });
  }

  /** Throws `malformed_request` for a cursor that this database cannot have returned. */
  async begin(merchantId: number, filter: EventFilter, { after, last }: EventStart): Promise<EventCursor> {
    if (after === undefined && last === undefined) return FIRST;
    const { rows, horizon } = await this.log.latest(merchantId, filter, after === undefined ? last! : 0);
    if (after !== undefined) {
      if (!isWithin(after, horizon)) throw badEventCursor();
      return after;
    }
    const first = rows.at(-1);
    return first ? { position: first.position, id: first.id - 1 } : { position: horizon, id: 0 };
  }

  /**
   * Returns at most `limit` events after `after`, from one scan. A page may be empty although there are more events.
   */
  async page(merchantId: number, after: EventCursor, filter: EventFilter, limit: number): Promise<EventPage> {
    const found = await this.log.scan(merchantId, after, filter);
    const picked = found.rows.slice(0, limit);
    const { next, isEnd } = picked.length < limit ? found : cutAt(found, picked.at(-1)!);
    const events = await this.rendered(picked);
    const isCut = events.length < picked.length;
    return { events, next: isCut ? events.at(-1)!.cursor : next, hasMore: isCut || !isEnd };
  }

  /** Renders events up to `MAX_BYTES`, or one event that is larger. */
  private async rendered(rows: EventRow[]): Promise<RenderedEvent[]> {
    const events: RenderedEvent[] = [];
    let bytes = 0;
    for (let at = 0; at < rows.length && bytes < MAX_BYTES; at += BODIES_AT_ONCE) {
      const some = await Promise.all(rows.slice(at, at + BODIES_AT_ONCE).map((row) => this.render(row)));
      for (const event of some) {
        if (bytes >= MAX_BYTES) break;
        events.push(event);
        bytes += event.json.length;
      }
    }
    return events;
  }

  private async changeOf(row: EventRow): Promise<PastChange> {
    const eventId = await this.log.idOf(row);
    return { paymentId: row.payment_id!, status: row.payment_status!, at: row.created_at, eventId };
  }

  private async render(row: EventRow): Promise<RenderedEvent> {
    const data = row.data ?? (await this.bodies.add(row));
    const envelope = JSON.stringify({
      id: await this.log.idOf(row),
      type: row.type,
      created_at: row.created_at.toISOString(),
      shop_id: row.shop_id,
      payment_id: row.payment_id,
    });
    const { position, id, type } = row;
    return { cursor: { position, id }, type, json: `${envelope.slice(0, -1)},"data":${data}}` };
  }
}

/** The position after the last event of the page; the end only if no event follows. */
function cutAt({ rows, isEnd }: EventScan, last: EventRow): Pick<EventScan, 'next' | 'isEnd'> {
  return { next: { position: last.position, id: last.id }, isEnd: isEnd && rows.at(-1) === last };
}
