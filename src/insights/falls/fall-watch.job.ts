import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { SharedSchedule } from '../../platform/workers/shared-schedule.js';
import { Clock, DAY_MS } from '../../shared/clock.js';
import { type Cell, successesOf } from '../approvals/approval-cell.js';
import { ApprovalsService } from '../approvals/approvals.service.js';
import { ACTIVE_MERCHANTS, FALLS, type FallRow, WRITE_FALLS } from './falls.queries.js';
import { type Fall, fallsOf, LOOK_PAUSE_MS, rateOf, type WatchedCell } from './falls.js';

/** More than a merchant's cells. */
const ALL = 100_000;

/**
 * Looks for approval rates that fell (`approvals.fell`), merchant by merchant. A fall commits with its event, so it is
 * reported once for any number of workers, and whenever they die: the next look finds what is missing.
 */
@Injectable()
export class FallWatch implements OnModuleInit {
  private readonly logger = new Logger(FallWatch.name);

  constructor(
    private readonly schedule: SharedSchedule,
    private readonly database: Database,
    private readonly approvals: ApprovalsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.schedule.add({
      name: 'falls of approvals',
      everyMs: LOOK_PAUSE_MS,
      run: (stopping) => this.lookAtAll(stopping),
    });
  }

  /** Finds the falls of a merchant. */
  async look(merchantId: number): Promise<void> {
    const request = { by: ['card.scheme'] as const, order: 'attempts' as const, values: {} };
    const { cells } = await this.approvals.read(merchantId, request);
    const known = await this.database.query<FallRow>(FALLS, [merchantId, ALL]);
    const { fell, ended } = fallsOf(cells.flatMap(watched), known.map(fallOf), this.clock.now());
    if (fell.length === 0 && ended.length === 0) return;
    await this.database.query(WRITE_FALLS, [merchantId, ...columnsOf(fell), ...keysOf(ended)]);
    for (const { shopId, scheme } of fell) this.logger.log({ msg: 'approvals fell', merchantId, shopId, scheme });
  }

  private async lookAtAll(stopping: AbortSignal): Promise<void> {
    const since = new Date(this.clock.now().getTime() - DAY_MS);
    for (const { id } of await this.database.query<{ id: number }>(ACTIVE_MERCHANTS, [since])) {
      if (stopping.aborted) return;
      await this.look(id).catch((error: unknown) =>
        this.logger.error({ msg: 'cannot look at approvals, will try again', merchantId: id, err: error }),
      );
    }
  }
}

/** No cell if the day before was not counted as a whole. */
const watched = ({ row, before }: Cell): WatchedCell[] =>
  before === null
    ? []
    : [
        {
          shopId: row.shop_id,
          scheme: row.value_1,
          now: successesOf(row.approved, row.declined + row.failed),
          before: successesOf(row.approved_before, row.declined_before + row.failed_before),
        },
      ];

const fallOf = (row: FallRow): Fall => ({
  ...{ shopId: row.shop_id, scheme: row.scheme, fellAt: row.fell_at },
  ...{ rate: row.rate, rateBefore: row.rate_before },
});

const keysOf = (cells: readonly Pick<Fall, 'shopId' | 'scheme'>[]): [number[], string[]] => [
  cells.map(({ shopId }) => shopId),
  cells.map(({ scheme }) => scheme),
];

const columnsOf = (fell: readonly WatchedCell[]): (number | string)[][] => [
  ...keysOf(fell),
  fell.map(({ now }) => rateOf(now)),
  fell.map(({ before }) => rateOf(before)),
  fell.map(({ now }) => now.trials),
  fell.map(({ before }) => before.trials),
];
