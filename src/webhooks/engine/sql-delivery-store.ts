import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { CLAIM, DUE_LANES, FIND_LANES, HAND_BACK, RECORD, type RecordedRow, RENEW_LEASES } from './delivery.queries.js';
import {
  type AttemptRecord,
  type ClaimedRow,
  DeliveryStore,
  type DueLane,
  type LaneClaim,
  type LaneInfo,
  type Lease,
} from './delivery-store.js';

/** The wake-up that comes with a new delivery gets this long before it counts as lost. */
const OWN_WAKE_UP_MS = 1_000;

@Injectable()
export class SqlDeliveryStore extends DeliveryStore {
  constructor(private readonly database: Database) {
    super();
  }

  override claim(claims: LaneClaim[], leaseMs: number): Promise<ClaimedRow[]> {
    return this.database.query<ClaimedRow>(CLAIM, [
      claims.map(({ laneId }) => laneId),
      claims.map(({ quota }) => quota),
      leaseMs,
    ]);
  }

  override renew(leases: Lease[], leaseMs: number): Promise<Lease[]> {
    return this.database.query<Lease>(RENEW_LEASES, [...columnsOf(leases), leaseMs]);
  }

  override async handBack(leases: Lease[]): Promise<void> {
    await this.database.query(HAND_BACK, columnsOf(leases));
  }

  override async record(attempts: AttemptRecord[]): Promise<number[]> {
    const rows = await this.database.query<RecordedRow>(RECORD, [
      attempts.map(({ id }) => id),
      attempts.map((attempt) => attempt.attempts),
      attempts.map(({ status }) => status),
      attempts.map(({ waitMs }) => Math.ceil(waitMs)),
      attempts.map(({ statusCode }) => statusCode),
      attempts.map(({ error }) => error),
      attempts.map(({ startedAt }) => startedAt),
      attempts.map(({ durationMs }) => Math.round(durationMs)),
      attempts.map(({ responseBody }) => responseBody),
      attempts.map(({ lease }) => lease),
    ]);
    return rows.map((row) => row.delivery_id);
  }

  override dueLanes(): Promise<DueLane[]> {
    return this.database.query<DueLane>(DUE_LANES, [OWN_WAKE_UP_MS]);
  }

  override lanes(laneIds: number[]): Promise<LaneInfo[]> {
    return this.database.query<LaneInfo>(FIND_LANES, [laneIds]);
  }
}

const columnsOf = (leases: Lease[]): [number[], string[]] => [
  leases.map(({ id }) => id),
  leases.map(({ lease }) => lease),
];
