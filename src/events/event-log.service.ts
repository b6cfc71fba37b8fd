import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { Batcher } from '../shared/batcher.js';
import { type EventCursor, FIRST } from './event-cursor.js';
import {
  EVENT_TYPES,
  type EventRow,
  type EventType,
  FIND_INSTALLATION,
  LATEST,
  LOOK,
  LOOK_AT_UNPLACED,
  type Looked,
  type UnplacedLook,
} from './events.queries.js';

/** One more than the largest page. Without their bodies, rows are small. */
const LOOK_ROWS = 101;
const UNPLACED_ROWS = 2_000;

export interface EventFilter {
  /** `undefined`: of any type, of any shop. */
  types: readonly EventType[] | undefined;
  shopId: number | undefined;
}

interface LookRequest {
  merchantId: number;
  after: EventCursor;
  filter: EventFilter;
}

/** What a look found: events that the filter takes, and where the next look begins. */
export interface EventLook {
  rows: EventRow[];
  next: EventCursor;
  /** There is nothing more, for the moment. Without it a look may find nothing, and the next one more. */
  isEnd: boolean;
}

/**
 * A merchant's events in the order of their commits. An event is seen once all transactions that
 * could come before it have ended: who follows the cursor misses none, and sees the same order as everybody else.
 * The looks of one moment are one statement, and those of readers at the same place one look.
 */
@Injectable()
export class EventLog {
  private readonly looks = new Batcher<LookRequest, EventLook>((requests) => this.run(requests), {
    maxSize: 100,
    maxConcurrent: 2,
  });
  private installation: Promise<string> | undefined;

  constructor(private readonly database: Database) {}

  /** Costs the same whatever the filter leaves out: it reads what it answers, or so many rows from before there were positions. */
  async look(merchantId: number, after: EventCursor, filter: EventFilter): Promise<EventLook> {
    const request = { merchantId, after, filter };
    const unplaced = after.position === FIRST.position ? await this.lookAtUnplaced(request) : undefined;
    return unplaced ?? this.looks.add(request);
  }

  /** Newest first, with the position below which nothing can come any more. */
  async latest(
    merchantId: number,
    { types = EVENT_TYPES, shopId }: EventFilter,
    count: number,
  ): Promise<{ rows: EventRow[]; horizon: string }> {
    const rows = await this.database.query<Looked>(LATEST, [merchantId, shopId ?? null, types, count]);
    return { rows: rows.filter(isEvent), horizon: rows[0]!.horizon };
  }

  /** The same for as long as the event is there, also after the database has moved; of no other service's event. */
  async idOf({ id }: Pick<EventRow, 'id'>): Promise<string> {
    const installation = await (this.installation ??= this.findInstallation());
    return `evt_${createHash('sha256').update(`${installation}:${id}`).digest('hex').slice(0, 32)}`;
  }

  private async findInstallation(): Promise<string> {
    try {
      return (await this.database.query<{ installation: string }>(FIND_INSTALLATION))[0]!.installation;
    } catch (error) {
      this.installation = undefined;
      throw error;
    }
  }

  /** `undefined`: there are none from here on. */
  private async lookAtUnplaced({ merchantId, after: { id }, filter }: LookRequest): Promise<EventLook | undefined> {
    const rows = await this.database.query<UnplacedLook>(LOOK_AT_UNPLACED, [merchantId, id, UNPLACED_ROWS]);
    const lastId = rows[0]!.last_id;
    if (lastId === null) return undefined;
    const wanted = rows.filter(isEvent).filter((row) => isWanted(row, filter));
    return { rows: wanted, next: { position: FIRST.position, id: lastId }, isEnd: false };
  }

  private async run(requests: LookRequest[]): Promise<EventLook[]> {
    const places = new Map(requests.map((request) => [keyOf(request), request]));
    const distinct = [...places.values()];
    const found = await this.database.query<Looked & { look: number }>(LOOK, [
      distinct.map(({ merchantId }) => merchantId),
      distinct.map(({ after }) => after.position),
      distinct.map(({ after }) => after.id),
      distinct.map(({ filter }) => filter.shopId ?? null),
      distinct.map(({ filter: { types = EVENT_TYPES } }) => types.join(',')),
      LOOK_ROWS,
    ]);
    const rows = distinct.map((): EventRow[] => []);
    for (const row of found) if (isEvent(row)) rows[row.look - 1]!.push(row);
    const looks = new Map(distinct.map((request, index) => [keyOf(request), lookOf(request, rows[index]!)]));
    return requests.map((request) => looks.get(keyOf(request))!);
  }
}

const keyOf = ({ merchantId, after, filter: { types, shopId } }: LookRequest): string =>
  [merchantId, after.position, after.id, shopId, types].join(' ');

const isWanted = ({ type, shop_id: shopId }: EventRow, filter: EventFilter): boolean =>
  (filter.types === undefined || filter.types.includes(type)) &&
  (filter.shopId === undefined || filter.shopId === shopId);

const isEvent = <R extends EventRow | { id: null }>(row: R): row is R & EventRow => row.id !== null;

function lookOf({ after }: LookRequest, rows: EventRow[]): EventLook {
  const last = rows.at(-1);
  const next = last ? { position: last.position, id: last.id } : after;
  return { rows, next, isEnd: rows.length < LOOK_ROWS };
}
