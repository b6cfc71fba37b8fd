import { Injectable, Logger } from '@nestjs/common';
import { logChangedEndpoints } from '../endpoint/health/endpoint-log.js';
import { DEFAULT_ENDPOINT } from '../endpoint/secrets/receiver.js';
import { tracing } from '../../platform/tracing/tracing.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { claimOn, type ClaimAnswer, type ClaimRow, type DueAgainRow, FIND_BODIES, RELEASE } from './claim.queries.js';
import {
  type AttemptRecord,
  type ClaimedRow,
  DeliveryStore,
  type DueLane,
  type LaneClaim,
  type LaneInfo,
  type Lease,
  type Recorded,
  WAKE_UP_MS,
} from './delivery-store.js';
import { DUE_LANES, type DueAnswer, FIND_LANES } from './due-lanes.queries.js';
import { DueScan } from './due-scan.js';
import { RECORD, RECORD_DELIVERED, type RecordAnswer } from './record.queries.js';
import { ScanCursors } from './scan-cursor.js';

/** Deliveries in PostgreSQL. The scan positions that it keeps in memory are only hints. */
@Injectable()
export class PostgresDeliveryStore extends DeliveryStore {
  private readonly logger = new Logger(PostgresDeliveryStore.name);
  private claimOfDay = { day: '', statement: claimOn('2000-01-01') };
  private readonly cursors = new ScanCursors();
  private readonly dueScan = new DueScan(async ({ dueAt, id }, limit) => {
    const [answer] = await this.database.query<DueAnswer>(DUE_LANES, [WAKE_UP_MS, dueAt, id, limit]);
    return answer!;
  });

  constructor(private readonly database: Database) {
    super();
  }

  override async claim(claims: LaneClaim[], leaseMs: number): Promise<ClaimedRow[]> {
    const begins = claims.map(({ laneId }) => this.cursors.begin(laneId));
    const startedAt = performance.now();
    const rows = await this.database.query<ClaimAnswer>(this.claimOfToday(), [
      claims.map(({ laneId }) => laneId),
      claims.map(({ quota }) => quota),
      claims.map(({ maxBytes }) => maxBytes),
      begins,
      leaseMs,
      claims.map(({ withSuccessors }) => withSuccessors),
    ]);
    if (begins.includes(-Infinity)) this.cursors.sweptIn(performance.now() - startedAt);
    const claimed = rows.filter((row): row is ClaimRow & ClaimAnswer => row.id !== null);
    this.advanceCursors(claims, begins, claimed, rows[0]!.clock);
    return this.complete(claimed, rows[0]!);
  }

  override async release(leases: Lease[]): Promise<void> {
    const rows = await this.database.query<DueAgainRow>(RELEASE, [
      leases.map(({ id }) => id),
      leases.map(({ lease }) => lease),
    ]);
    for (const row of rows) this.cursors.lower(row.lane_id, row.due_at);
  }

  override async record(attempts: AttemptRecord[]): Promise<Recorded[]> {
    // sorted, so that all statements lock their rows in the same order
    const inOrder = [...attempts].sort((one, other) => one.id - other.id);
    const areDelivered = inOrder.every(({ status }) => status === 'delivered');
    const delivered = areDelivered ? await this.write(RECORD_DELIVERED, columnsOf(inOrder).slice(0, 7)) : [];
    const written = new Set(delivered.map(({ id }) => id));
    const remaining = inOrder.filter(({ id }) => !written.has(id));
    return remaining.length === 0 ? delivered : [...delivered, ...(await this.write(RECORD, columnsOf(remaining)))];
  }

  override async dueLanes(): Promise<DueLane[]> {
    const lanes = new Map<number, DueLane>();
    for (const { lane_ids, overdue_ms, free_since, is_held, is_unanswered } of await this.dueScan.run()) {
      for (const [index, lane_id] of lane_ids.entries()) {
        this.cursors.lower(lane_id, free_since[index]!);
        if (lanes.has(lane_id)) continue;
        const [isHeld, isUnanswered] = [is_held[index]!, is_unanswered[index]!];
        lanes.set(lane_id, { lane_id, overdue_ms: overdue_ms[index]!, is_held: isHeld, is_unanswered: isUnanswered });
      }
    }
    return [...lanes.values()].sort((one, other) => other.overdue_ms - one.overdue_ms);
  }

  override lanes(laneIds: number[]): Promise<LaneInfo[]> {
    return this.database.query<LaneInfo>(FIND_LANES, [laneIds]);
  }

  private async write(statement: Statement, values: unknown[]): Promise<Recorded[]> {
    const [answer] = (await this.database.query<RecordAnswer>(statement, values)) as [RecordAnswer];
    logChangedEndpoints(answer);
    for (const { lane_id, due_at } of answer.successors) this.cursors.lower(lane_id, due_at);
    const withSuccessor = new Set(answer.successors.map(({ id }) => id));
    return answer.ids.map((id) => ({ id, hasSuccessor: withSuccessor.has(id) }));
  }

  /** Moves each cursor to the oldest claimed delivery, or to now if nothing was claimed: nothing older is claimable. */
  private advanceCursors(claims: LaneClaim[], begins: number[], claimed: ClaimRow[], clock: number): void {
    const oldest = new Map<number, number>();
    for (const row of claimed) oldest.set(row.lane_id, Math.min(row.due_at, oldest.get(row.lane_id) ?? Infinity));
    for (const [index, { laneId }] of claims.entries())
      this.cursors.advance(laneId, begins[index]!, oldest.get(laneId) ?? clock);
  }

  /** Returns the claim for bodies of today, which are the most. It uses this machine's clock, which need not be exact. */
  private claimOfToday(): Statement {
    const day = new Date().toISOString().slice(0, 10);
    if (day !== this.claimOfDay.day) this.claimOfDay = { day, statement: claimOn(day, tracing.isOn) };
    return this.claimOfDay.statement;
  }

  private async complete(rows: ClaimRow[], { receivers, lease, units }: ClaimAnswer): Promise<ClaimedRow[]> {
    const receiverOf = new Map(receivers?.map((encrypted) => [keyOf(encrypted), encrypted]));
    const predecessors = new Map(units?.flatMap((ids) => ids.slice(1).map((id, index) => [id, ids[index]!] as const)));
    const complete = (await this.withBodies(rows)) as (ClaimRow & WithBody & Omit<ClaimedRow, keyof ClaimRow>)[];
    for (const row of complete) {
      row.encrypted_receiver = receiverOf.get(keyOf(row))!;
      row.lease = lease!;
      row.predecessor_id = predecessors.get(row.id) ?? null;
    }
    return complete;
  }

  private async withBodies(claimed: ClaimRow[]): Promise<(ClaimRow & WithBody)[]> {
    const elsewhere = claimed.filter((row) => row.request_body === null);
    if (elsewhere.length === 0) return claimed.filter(hasBody);
    const ids = elsewhere.map((row) => row.body_id);
    const days = elsewhere.map((row) => row.body_day);
    const found = await this.database.query<StoredBody>(FIND_BODIES, [ids, days]);
    const bodies = new Map(found.map((row) => [row.delivery_id, row]));
    for (const row of elsewhere) {
      row.request_body = bodies.get(row.body_id)?.body ?? null;
      row.traceparent = bodies.get(row.body_id)?.traceparent ?? null;
    }
    const without = elsewhere.filter((row) => row.request_body === null).map(({ id }) => id);
    if (without.length > 0) this.logger.error({ msg: 'pending deliveries without a body', ids: without.slice(0, 10) });
    return claimed.filter(hasBody);
  }
}

/** Tells the endpoints of all kinds apart: the standing endpoint, or minus the shop of a default one. */
const keyOf = ({ endpoint_id: endpointId, shop_id: shopId }: Pick<ClaimRow, 'endpoint_id' | 'shop_id'>): number =>
  endpointId === DEFAULT_ENDPOINT ? -shopId! : endpointId;

/** $1 to $7 are those of both statements. */
const columnsOf = (attempts: AttemptRecord[]): unknown[] => [
  attempts.map(({ id }) => id),
  attempts.map((attempt) => attempt.attempts),
  attempts.map(({ startedAt }) => startedAt),
  attempts.map(({ durationMs }) => Math.round(durationMs)),
  attempts.map(({ statusCode }) => statusCode),
  attempts.map(({ responseBody }) => responseBody),
  attempts.map(({ lease }) => lease),
  attempts.map(({ status }) => status),
  attempts.map(({ waitMs }) => Math.ceil(waitMs)),
  attempts.map(({ error }) => error),
  attempts.map(({ errorMessage }) => errorMessage ?? null),
];

interface StoredBody {
  delivery_id: number;
  body: string;
  traceparent: string | null;
}

type WithBody = Pick<ClaimedRow, 'request_body'>;

const hasBody = (row: ClaimRow): row is ClaimRow & WithBody => row.request_body !== null;
