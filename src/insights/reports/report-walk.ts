import { Injectable } from '@nestjs/common';
import { ReadSlots } from '../../access/read-slots.js';
import type { WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import type { Statement } from '../../platform/database/database.js';
import { DISORDER_MS, idsWithin } from '../../platform/database/first-id-since.js';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { DAY_MS } from '../../shared/clock.js';
import type { Report } from './report-sources.js';
import { type PageEnd, PAYMENTS_IN_TIME, POSITION_IN_TIME, REFUNDS_IN_TIME } from './reports.queries.js';

export interface ReportRead {
  report: Report;
  /** The beginnings of the periods, and the end of the last one. */
  starts: readonly Date[];
  shopId?: number | undefined;
  currency?: string | undefined;
}

interface Place {
  id: number;
  /** Decimal text; absent: the walk is by ids. */
  position?: string;
}

interface Bounds {
  first: Place;
  below: number | string;
}

/** A refund is settled by its provider within so many days. */
const SETTLED_WITHIN_DAYS = 366;

/**
 * Reads the rows of a report page by page, so that neither a statement nor the memory grows with the report. A page holds a
 * connection and one of the merchant's read slots, and between pages others have their turn: a client that reads slowly holds neither.
 */
@Injectable()
export class ReportWalk {
  constructor(
    private readonly reads: ReplicaReads,
    private readonly slots: ReadSlots,
  ) {}

  /** The rows of each page, of `size` looked-at rows. Ends early if the client has disconnected. */
  async *pages<Row extends PageEnd>(
    owner: WorkOwner,
    statement: Statement,
    read: ReportRead,
    size: number,
  ): AsyncGenerator<Row[]> {
    const { first, below } = await this.slots.run(owner, () => this.boundsOf(owner.merchantId, read));
    const filter = [read.starts, read.shopId ?? null, read.currency ?? null];
    let after = first;
    while (!owner.isGone) {
      const { id, position } = after;
      const values = [owner.merchantId, id, below, size, ...filter, ...(position === undefined ? [] : [position])];
      const rows = await this.slots.run(owner, () => this.reads.query<Row>(statement, values));
      const { walked, walked_id: last, walked_position: at } = rows[0]!;
      yield rows;
      if (walked < size) return;
      after = { id: last!, ...(position !== undefined && { position: at! }) };
    }
  }

  private async boundsOf(merchantId: number, { report, starts }: ReportRead): Promise<Bounds> {
    const [from, to] = [starts[0]!, starts.at(-1)!];
    switch (report) {
      case 'payments':
      case 'approvals':
        return boundsOfIds(await idsWithin(this.reads, PAYMENTS_IN_TIME, { from, to }));
      case 'refunds': {
        const created = new Date(from.getTime() - SETTLED_WITHIN_DAYS * DAY_MS);
        return boundsOfIds(await idsWithin(this.reads, REFUNDS_IN_TIME, { from: created, to }));
      }
      case 'disputes':
        // they are few, and the provider says when they were opened
        return boundsOfIds({ from: 0, below: Number.MAX_SAFE_INTEGER });
      case 'captures':
      case 'fees': {
        const position = await this.positionAt(merchantId, from.getTime() - DISORDER_MS);
        return {
          first: { id: 0, position },
          below: await this.positionAt(merchantId, to.getTime() + DISORDER_MS),
        };
      }
    }
  }

  private async positionAt(merchantId: number, ms: number): Promise<string> {
    const [found] = await this.reads.query<{ position: string }>(POSITION_IN_TIME, [new Date(ms), merchantId]);
    return found!.position;
  }
}

const boundsOfIds = ({ from, below }: { from: number; below: number }): Bounds => ({
  first: { id: from - 1 },
  below,
});
