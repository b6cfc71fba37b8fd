import { Injectable } from '@nestjs/common';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { Clock } from '../../shared/clock.js';
import { BOUND_TIME } from '../approvals/approval-payments.queries.js';
import { FALLS, type FallRow } from '../falls/falls.queries.js';
import { KeptReads } from '../overview/kept-reads.js';
import {
  ALARMS,
  DOWN,
  type DownRow,
  EVIDENCE,
  FAILING,
  LAPSES,
  type PartRow,
  TO_SETTLE,
  WAITING,
  type WaitingRow,
} from './to-do.queries.js';
import { horizonsAt, linesOf, type ToDoLine } from './to-do.js';

export interface ToDo {
  at: Date;
  lines: ToDoLine[];
}

/** The maximum number of lines for single shops, and for falls. */
const MAX_LINES = 20;

/** Work for a person, by deadline. Only reads; what clients share is from one snapshot. */
@Injectable()
export class ToDoService {
  private readonly kept = new KeptReads((merchantId) => this.read(merchantId));

  constructor(
    private readonly reads: ReplicaReads,
    private readonly clock: Clock,
  ) {}

  /** At most two seconds old, except the approvals that wait for this client. */
  async of(merchantId: number, clientId: string): Promise<ToDo> {
    const [{ times, ...found }, waiting] = await Promise.all([
      this.kept.of(merchantId),
      this.reads.query<WaitingRow>(WAITING, [merchantId, clientId, MAX_LINES]),
    ]);
    return { at: times.now, lines: linesOf({ ...found, waiting }, times) };
  }

  private read(merchantId: number) {
    const times = horizonsAt(this.clock.now());
    const { now, day, threeDays, week } = times;
    return this.reads.readOnly(async (transaction) => {
      await transaction.query(BOUND_TIME);
      const parts = [
        ...(await transaction.query<PartRow>(EVIDENCE, [merchantId, now, week])),
        ...(await transaction.query<PartRow>(LAPSES, [merchantId, now, day, threeDays])),
        ...(await transaction.query<PartRow>(TO_SETTLE, [merchantId])),
        ...(await transaction.query<PartRow>(ALARMS, [merchantId])),
        ...(await transaction.query<PartRow>(FAILING, [merchantId])),
      ];
      const down = await transaction.query<DownRow>(DOWN, [merchantId, MAX_LINES]);
      const falls = await transaction.query<FallRow>(FALLS, [merchantId, MAX_LINES]);
      return { times, parts, down, falls };
    });
  }
}
