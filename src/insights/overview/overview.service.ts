import { Injectable } from '@nestjs/common';
import { firstIdSince } from '../../platform/database/first-id-since.js';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { KeptReads } from './kept-reads.js';
import { BOUND_TIME } from '../approvals/approval-payments.queries.js';
import {
  APPROVALS,
  type ApprovalsRow,
  DELIVERIES,
  DELIVERIES_IN_TIME,
  type DeliveriesRow,
  HOURS,
  OPEN_ALARMS,
  OPEN_OPERATIONS,
  PENDING_WORK,
  type OpenAlarmRow,
  type OpenOperationRow,
  type OpenRow,
  WAITING_NOTIFICATIONS,
  type WaitingNotificationRow,
} from './overview.queries.js';

export interface Overview {
  approvals: ApprovalsRow[];
  deliveries: DeliveriesRow[];
  open: OpenRow;
}

export interface OpenWork {
  operations: OpenOperationRow[];
  notifications: WaitingNotificationRow[];
  alarms: OpenAlarmRow[];
}

const DAY_MS = HOURS * 3_600_000;

/** The first page for an operator. Only reads; all data of an answer is from one snapshot. */
@Injectable()
export class OverviewService {
  private readonly overviews = new KeptReads((merchantId) => this.read(merchantId));

  constructor(private readonly reads: ReplicaReads) {}

  /** At most two seconds old. */
  overview(merchantId: number): Promise<Overview> {
    return this.overviews.of(merchantId);
  }

  /** The oldest work that waits for a provider or a person. */
  openWork(merchantId: number): Promise<OpenWork> {
    return this.reads.readOnly(async (transaction) => {
      await transaction.query(BOUND_TIME);
      const operations = await transaction.query<OpenOperationRow>(OPEN_OPERATIONS, [merchantId]);
      return {
        operations,
        notifications: await transaction.query<WaitingNotificationRow>(WAITING_NOTIFICATIONS, [merchantId]),
        alarms: await transaction.query<OpenAlarmRow>(OPEN_ALARMS, [merchantId]),
      };
    });
  }

  private read(merchantId: number): Promise<Overview> {
    return this.reads.readOnly(async (transaction) => {
      await transaction.query(BOUND_TIME);
      const approvals = await transaction.query<ApprovalsRow>(APPROVALS, [merchantId]);
      const deliveries = await transaction.query<DeliveriesRow>(DELIVERIES, [merchantId]);
      // by the database's clock, and one hour early: the statement compares the times again
      const since = new Date(deliveries[0]!.first_minute.getTime() - DAY_MS);
      const firstId = await firstIdSince(transaction, DELIVERIES_IN_TIME, since);
      const [open] = await transaction.query<OpenRow>(PENDING_WORK, [merchantId, firstId]);
      return { approvals, deliveries, open: open! };
    });
  }
}
