import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../../platform/database/database.js';
import { Clock, HOUR_MS, withTimeout } from '../../shared/clock.js';
import { Semaphore, SemaphoreRefused } from '../../shared/semaphore.js';
import type { SegmentField } from '@payment-orchestrator/routing/facts/segment';
import { CODES_LEFT_OUT, MAX_ROWS, type SegmentCellRow, segmentCells } from './segment-cells.queries.js';
import { NO_SEGMENTS, ReadSegments, type Segments } from '@payment-orchestrator/routing/decision/segments';
import { SegmentRates } from '@payment-orchestrator/routing/strategies/segment-rates';

/** Rates are used for this long without another read … */
const FRESH_MS = 5_000;
/** … and longer if a read takes long: reads of one list take at most a twentieth of the time. */
const PAUSE_PER_READ = 20;
/** Older rates are read again before they are used. */
const MAX_AGE_MS = 60_000;
/** Decisions wait for a read only in its first moments. */
const MAX_WAIT_MS = 200;
/** At most 350 bytes each. */
const MAX_KEPT_CELLS = 100_000;
/** A merchant with many drafts must not fill the queue of the others. */
const READS = { maxRunning: 1, maxQueued: 5_000, maxQueuedPerKey: 200 };

interface Kept {
  rates: SegmentRates | undefined;
  cells: number;
  readAt: number;
  /** The earliest time of the next read. */
  staleAt: number;
  reading: Promise<void> | undefined;
  /** Decisions wait for `reading` until then. */
  awaitedUntil: number;
}

/**
 * Approval rates by segment, from the cells that a worker keeps. One process reads one list at a time. A decision uses
 * rates that are a few seconds old. Without a worker the cells stay as they are, and the outcomes of whole shops still count.
 */
@Injectable()
export class SegmentCellsService {
  private readonly logger = new Logger(SegmentCellsService.name);
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: MAX_KEPT_CELLS,
    sizeCalculation: ({ cells }) => 1 + cells,
  });
  private readonly reads = new Semaphore(READS);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The rates of these shops by each list of fields. A list whose read fails, or takes too long, is left out. */
  async of(
    merchantId: number,
    shopIds: readonly number[],
    lists: readonly (readonly SegmentField[])[],
  ): Promise<Segments> {
    if (lists.length === 0) return NO_SEGMENTS;
    const read = await Promise.all(lists.map(async (by) => [by, await this.ratesOf(merchantId, shopIds, by)] as const));
    return new ReadSegments(read.flatMap(([by, rates]) => (rates ? [[by, rates] as const] : [])));
  }

  private async ratesOf(
    merchantId: number,
    shopIds: readonly number[],
    by: readonly SegmentField[],
  ): Promise<SegmentRates | undefined> {
    const key = `${merchantId}:${by.join()}:${shopIds.join()}`;
    const now = this.clock.now().getTime();
    const kept = this.kept.get(key);
    if (kept && now < kept.staleAt) return kept.rates;
    const reading = kept?.reading ?? this.read(key, kept, merchantId, shopIds, by);
    if (kept?.rates && now < kept.readAt + MAX_AGE_MS) return kept.rates;
    const waitMs = (kept?.reading ? kept.awaitedUntil : now + MAX_WAIT_MS) - now;
    if (waitMs > 0) await withTimeout(waitMs, reading, 'approval rates are not read yet').catch(() => undefined);
    return this.kept.peek(key)?.rates;
  }

  private read(
    key: string,
    before: Kept | undefined,
    merchantId: number,
    shopIds: readonly number[],
    by: readonly SegmentField[],
  ): Promise<void> {
    const startedAt = performance.now();
    const reading = this.reads
      .run(() => this.cells(merchantId, shopIds, by), { key: merchantId })
      .then(
        ({ rates, cells, tookMs }) => this.keep(key, rates, cells, tookMs),
        (error: unknown) => {
          // a merchant that fills the queue must not fill the log
          if (!(error instanceof SemaphoreRefused)) {
            this.logger.warn(`approval rates by ${by.join(', ')} were not read: ${(error as Error).message}`);
          }
          this.keep(key, before?.rates, before?.cells ?? 0, performance.now() - startedAt);
        },
      );
    const now = this.clock.now().getTime();
    this.kept.set(key, {
      rates: before?.rates,
      cells: before?.cells ?? 0,
      readAt: before?.readAt ?? 0,
      staleAt: now,
      reading,
      awaitedUntil: now + MAX_WAIT_MS,
    });
    return reading;
  }

  private keep(key: string, rates: SegmentRates | undefined, cells: number, tookMs: number): void {
    const readAt = this.clock.now().getTime();
    const staleAt = readAt + Math.max(FRESH_MS, PAUSE_PER_READ * tookMs);
    this.kept.set(key, { rates, cells, readAt, staleAt, reading: undefined, awaitedUntil: 0 });
  }

  private async cells(merchantId: number, shopIds: readonly number[], by: readonly SegmentField[]) {
    const startedAt = performance.now();
    const hour = new Date(Math.floor(this.clock.now().getTime() / HOUR_MS) * HOUR_MS);
    const values = [
      merchantId,
      by.includes('card.bin'),
      shopIds,
      hour,
      CODES_LEFT_OUT,
      Math.ceil(MAX_ROWS / shopIds.length),
    ];
    const rows = await this.database.query<SegmentCellRow>(segmentCells(by), values);
    const rates = new SegmentRates(rows.map(cellOf), by.length);
    return { rates, cells: rows.length, tookMs: performance.now() - startedAt };
  }
}

const cellOf = ({ shop_id: shopId, first, second, approved, others }: SegmentCellRow) => ({
  shopId,
  values: [first, second].filter((value) => value !== null),
  approved,
  others,
});
