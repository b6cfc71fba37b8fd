import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { Batcher } from '../shared/batcher.js';
import { EVENT_TYPES, type EventType } from '../webhooks/event-types/event-catalogue.js';
import { type EventCursor, FIRST } from './event-cursor.js';
import {
  type EventRow,
  FIND_INSTALLATION,
  LATEST,
  NEXT_EVENTS,
  UNPLACED_EVENTS,
  type ScannedRow,
  type UnplacedRow,
} from './events.queries.js';

/** One more than the largest page. Without their bodies, rows are small. */
const SCAN_ROWS = 101;
const UNPLACED_ROWS = 2_000;

export interface EventFilter {
  /** `undefined`: any type, any shop. */
  types: readonly EventType[] | undefined;
  shopId: number | undefined;
}

interface ScanRequest {
  merchantId: number;
  after: EventCursor;
  filter: EventFilter;
}

/** The result of a scan: matching events, and the start of the next scan. */
export interface EventScan {
  rows: EventRow[];
  next: EventCursor;
  /**
   * Whether there are no more events at present. Without it a scan may find nothing, although the next one finds more.
   */
  isEnd: boolean;
}

/**
 * A merchant's events in the order of their commits. An event is visible after all transactions that could come before
 * it have ended. So a reader that follows the cursor misses no event, and all readers see the same order. Concurrent
 * scans share one statement, and readers at the same position share one scan.
 */
@Injectable()
export class EventLog {
  private readonly scans = new Batcher<ScanRequest, EventScan>((requests) => this.run(requests), {
    maxSize: 100,
    maxConcurrent: 2,
  });
  private installation: Promise<string> | undefined;

  constructor(private readonly database: Database) {}

  /**
   * Costs the same for any filter: it reads only the rows of its answer, or a fixed number of rows from before
   * positions existed.
   */
  async scan(merchantId: number, after: EventCursor, filter: EventFilter): Promise<EventScan> {
    const request = { merchantId, after, filter };
    const unplaced = after.position === FIRST.position ? await this.scanUnplaced(request) : undefined;
    return unplaced ?? this.scans.add(request);
  }

  /** Newest first, with the position below which no more events can be committed. */
  async latest(
    merchantId: number,
    { types = EVENT_TYPES, shopId }: EventFilter,
    count: number,
  ): Promise<{ rows: EventRow[]; horizon: string }> {
    const rows = await this.database.query<ScannedRow>(LATEST, [merchantId, shopId ?? null, types, count]);
    return { rows: rows.filter(isEvent), horizon: rows[0]!.horizon };
  }

  /**
   * The public id: stable as long as the event exists, also after a move of the database, and unique across services.
   */
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

  /** `undefined`: no events without a position from here on. */
  private async scanUnplaced({ merchantId, after: { id }, filter }: ScanRequest): Promise<EventScan | undefined> {
    const rows = await this.database.query<UnplacedRow>(UNPLACED_EVENTS, [merchantId, id, UNPLACED_ROWS]);
    const lastId = rows[0]!.last_id;
    if (lastId === null) return undefined;
    const wanted = rows.filter(isEvent).filter((row) => isWanted(row, filter));
    return { rows: wanted, next: { position: FIRST.position, id: lastId }, isEnd: false };
  }

  private async run(requests: ScanRequest[]): Promise<EventScan[]> {
    const places = new Map(requests.map((request) => [keyOf(request), request]));
    const distinct = [...places.values()];
    const found = await this.database.query<ScannedRow & { scan: number }>(NEXT_EVENTS, [
      distinct.map(({ merchantId }) => merchantId),
      distinct.map(({ after }) => after.position),
      distinct.map(({ after }) => after.id),
      distinct.map(({ filter }) => filter.shopId ?? null),
      distinct.map(({ filter: { types = EVENT_TYPES } }) => types.join(',')),
      SCAN_ROWS,
    ]);
    const rows = distinct.map((): EventRow[] => []);
    for (const row of found) if (isEvent(row)) rows[row.scan - 1]!.push(row);
    const scans = new Map(distinct.map((request, index) => [keyOf(request), scanOf(request, rows[index]!)]));
    return requests.map((request) => scans.get(keyOf(request))!);
  }
}

const keyOf = ({ merchantId, after, filter: { types, shopId } }: ScanRequest): string =>
  [merchantId, after.position, after.id, shopId, types].join(' ');

const isWanted = ({ type, shop_id: shopId }: EventRow, filter: EventFilter): boolean =>
  (filter.types === undefined || filter.types.includes(type)) &&
  (filter.shopId === undefined || filter.shopId === shopId);

const isEvent = <R extends EventRow | { id: null }>(row: R): row is R & EventRow => row.id !== null;

function scanOf({ after }: ScanRequest, rows: EventRow[]): EventScan {
  const last = rows.at(-1);
  const next = last ? { position: last.position, id: last.id } : after;
  return { rows, next, isEnd: rows.length < SCAN_ROWS };
}
