import { Injectable } from '@nestjs/common';
import { Batcher } from '../shared/batcher.js';
import { StatusBodies } from '../payments/status-bodies.service.js';
import { badEventCursor, type EventCursor, FIRST, isWithin } from './event-cursor.js';
import { type EventFilter, EventLog, type EventLook } from './event-log.service.js';
import type { EventRow, EventType } from './events.queries.js';

/** Where a reader begins: behind a cursor, or with the latest few; neither: with the first of all. */
export interface EventStart {
  after: EventCursor | undefined;
  last: number | undefined;
}

export interface RenderedEvent {
  cursor: EventCursor;
  type: EventType;
  /** One line. `data` comes last, byte for byte as the webhook has it. */
  json: string;
}

export interface EventPage {
  events: RenderedEvent[];
  /** Where to go on, also when there is nothing more yet. */
  next: EventCursor;
  hasMore: boolean;
}

/** What a page may take. */
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
    // several readers of one merchant ask for the same bodies at the same moment
    this.bodies = new Batcher((rows) => bodies.of(rows.map(changeOf)), { maxSize: 200, maxConcurrent: 2 });
  }

  /** Throws `malformed_request` for a cursor that this database cannot have given. */
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

  /** At most `limit` events behind `after`, of one look: it may be empty and have more all the same. */
  async page(merchantId: number, after: EventCursor, filter: EventFilter, limit: number): Promise<EventPage> {
    const found = await this.log.look(merchantId, after, filter);
    const picked = found.rows.slice(0, limit);
    const { next, isEnd } = picked.length < limit ? found : cutAt(found, picked.at(-1)!);
    const events = await this.rendered(picked);
    const isCut = events.length < picked.length;
    return { events, next: isCut ? events.at(-1)!.cursor : next, hasMore: isCut || !isEnd };
  }

  /** As many as come to `MAX_BYTES`, and one that is larger by itself. */
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

const changeOf = (row: EventRow) => ({ paymentId: row.payment_id!, status: row.payment_status!, at: row.created_at });

/** Behind the last event that the page has room for: at the end only when nothing follows it. */
function cutAt({ rows, isEnd }: EventLook, last: EventRow): Pick<EventLook, 'next' | 'isEnd'> {
  return { next: { position: last.position, id: last.id }, isEnd: isEnd && rows.at(-1) === last };
}
