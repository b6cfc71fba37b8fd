import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Database } from '../../platform/database/database.js';
import { Clock } from '../../shared/clock.js';
import type { SegmentField } from '@payment-orchestrator/routing/facts/segment';
import type { ShopStats } from '@payment-orchestrator/routing/facts/shop';
import type { SegmentCellRow } from './segment-cells.queries.js';
import { SegmentCellsService } from './segment-cells.service.js';
import { NO_SEGMENTS, type Segments } from '@payment-orchestrator/routing/decision/segments';

const MERCHANT = 1;
const SHOPS = [3, 4];
const BY: SegmentField[] = ['country'];
const FLAT: ShopStats = { approved: 0, declined: 0, failed: 0, health: 'healthy' };

class SetClock extends Clock {
  ms = Date.UTC(2026, 10, 27, 12, 30);

  now(): Date {
    return new Date(this.ms);
  }
}

const clock = new SetClock();
let waiting: ((rows: SegmentCellRow[] | Error) => void)[];
let service: SegmentCellsService;

beforeEach(() => {
  Logger.overrideLogger(false);
  waiting = [];
  const query = () =>
    new Promise<SegmentCellRow[]>((resolve, reject) =>
      waiting.push((rows) => (rows instanceof Error ? reject(rows) : resolve(rows))),
    );
  service = new SegmentCellsService({ query } as unknown as Database, clock);
});
afterEach(() => void jest.restoreAllMocks());

const rowsOf = (approved: number): SegmentCellRow[] =>
  [null, 'DE'].map((first) => ({ shop_id: 3, first, second: null, approved, others: 0 }));
const approvedIn = (segments: Segments): number | undefined => segments.rateOf(BY, ['DE'], 3, FLAT)?.approved;
const read = (by = BY): Promise<Segments> => service.of(MERCHANT, SHOPS, [by]);

/** The rates that a first read returns. */
async function known(approved: number): Promise<void> {
  const first = read();
  waiting[0]!(rowsOf(approved));
  expect(approvedIn(await first)).toBe(approved);
}

describe('SegmentCellsService', () => {
  it('reads nothing for flows without segments', async () => {
    expect(await service.of(MERCHANT, SHOPS, [])).toBe(NO_SEGMENTS);
    expect(waiting).toHaveLength(0);
  });

  it('shares a read among concurrent decisions, and its rates for five seconds', async () => {
    const decisions = [read(), read(), read()];
    expect(waiting).toHaveLength(1);
    waiting[0]!(rowsOf(40));
    expect((await Promise.all(decisions)).map(approvedIn)).toEqual([40, 40, 40]);
    clock.ms += 4_900;
    expect(approvedIn(await read())).toBe(40);
    expect(waiting).toHaveLength(1);
  });

  it('uses the rates before while it reads again, once', async () => {
    await known(40);
    clock.ms += 10_000;
    expect((await Promise.all([read(), read()])).map(approvedIn)).toEqual([40, 40]);
    expect(waiting).toHaveLength(2);
    waiting[1]!(rowsOf(50));
    await new Promise(setImmediate);
    expect(approvedIn(await read())).toBe(50);
  });

  it('waits for a read if the rates before are older than a minute', async () => {
    await known(40);
    clock.ms += 61_000;
    const next = read();
    waiting[1]!(rowsOf(50));
    expect(approvedIn(await next)).toBe(50);
  });

  it('keeps the rates before if a read fails', async () => {
    await known(40);
    clock.ms += 61_000;
    const next = read();
    waiting[1]!(new Error('down'));
    expect(approvedIn(await next)).toBe(40);
    expect(approvedIn(await read())).toBe(40);
    expect(waiting).toHaveLength(2);
  });

  it('decides without rates if a first read takes long, and reads one list at a time', async () => {
    const [one, other] = await Promise.all([read(), read(['currency'])]);
    expect([approvedIn(one), approvedIn(other)]).toEqual([undefined, undefined]);
    expect(waiting).toHaveLength(1);
    clock.ms += 200;
    // later decisions do not wait at all
    expect(approvedIn(await read())).toBeUndefined();
    waiting[0]!(rowsOf(40));
    await new Promise(setImmediate);
    expect(waiting).toHaveLength(2);
    expect(approvedIn(await read())).toBe(40);
  });

  it('keeps a merchant with many lists from filling the queue of another one', async () => {
    const many = Array.from({ length: 6_000 }, (_, index) => service.of(MERCHANT, [index], [BY]));
    const other = service.of(2, SHOPS, [BY]);
    waiting[0]!([]);
    await new Promise(setImmediate);
    waiting[1]!(rowsOf(40));
    expect(approvedIn(await other)).toBe(40);
    await Promise.all(many);
  });
});
