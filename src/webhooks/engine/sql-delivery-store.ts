import { Injectable, Logger } from '@nestjs/common';
import { originOf } from '../../platform/addresses/endpoint.js';
import { tracing } from '../../platform/tracing/tracing.js';
import { Database, type Statement } from '../../platform/database/database.js';
import {
  claimOn,
  type ClaimAnswer,
  type ClaimRow,
  DUE_LANES,
  type DueAgainRow,
  type DueAnswer,
  FIND_BODIES,
  FIND_LANES,
  HAND_BACK,
  RENEW_LEASES,
} from './delivery.queries.js';
import { type ChangedEndpoint, RECORD, RECORD_DELIVERED, type RecordAnswer } from './attempt.queries.js';
import {
  type AttemptRecord,
  type ClaimedRow,
  DeliveryStore,
  type DueLane,
  type LaneClaim,
  type LaneInfo,
  type Lease,
  type Recorded,
} from './delivery-store.js';
import { DueLooks } from './due-looks.js';
import { LaneFloors } from './lane-floors.js';

/** The wake-up that comes with a new delivery gets this long before it counts as lost. */
const OWN_WAKE_UP_MS = 1_000;

/** Deliveries in PostgreSQL. What it remembers are hints: where it pays to look. */
@Injectable()
export class SqlDeliveryStore extends DeliveryStore {
  private readonly logger = new Logger(SqlDeliveryStore.name);
  private ofDay = { day: '', claim: claimOn('2000-01-01') };
  private readonly floors = new LaneFloors();
  private readonly looks = new DueLooks(async ({ after, afterId, limit }) => {
    const values = [OWN_WAKE_UP_MS, after, afterId, limit];
    return (await this.database.query<DueAnswer>(DUE_LANES, values))[0]!;
  });

  constructor(private readonly database: Database) {
    super();
  }

  override async claim(claims: LaneClaim[], leaseMs: number): Promise<ClaimedRow[]> {
    const begins = claims.map(({ laneId }) => this.floors.of(laneId));
    const startedAt = performance.now();
    const rows = await this.database.query<ClaimAnswer>(this.claimOfToday(), [
      claims.map(({ laneId }) => laneId),
      claims.map(({ quota }) => quota),
      claims.map(({ maxBytes }) => maxBytes),
      begins,
      leaseMs,
      claims.map(({ withNext }) => withNext),
    ]);
    if (begins.includes(-Infinity)) this.floors.sweptIn(performance.now() - startedAt);
    const claimed = rows.filter((row): row is ClaimRow & ClaimAnswer => row.id !== null);
    this.raiseFloors(claims, begins, claimed, rows[0]!.clock);
    return this.complete(claimed, rows[0]!);
  }

  override renew(leases: Lease[], leaseMs: number): Promise<Lease[]> {
    return this.database.query<Lease>(RENEW_LEASES, [...columnsOf(leases), leaseMs]);
  }

  override async handBack(leases: Lease[]): Promise<void> {
    const rows = await this.database.query<DueAgainRow>(HAND_BACK, columnsOf(leases));
    for (const row of rows) this.floors.lower(row.lane_id, row.due_at);
  }

  override async record(attempts: AttemptRecord[]): Promise<Recorded[]> {
    const inOrder = [...attempts].sort((one, other) => one.id - other.id);
    if (inOrder.some(({ status }) => status !== 'delivered')) return this.recordAny(inOrder);
    const recorded = await this.write(RECORD_DELIVERED, deliveredColumns(inOrder));
    if (recorded.length === inOrder.length) return recorded;
    const written = new Set(recorded.map(({ id }) => id));
    return [...recorded, ...(await this.recordAny(inOrder.filter(({ id }) => !written.has(id))))];
  }

  private recordAny(attempts: AttemptRecord[]): Promise<Recorded[]> {
    return this.write(RECORD, [...deliveredColumns(attempts), ...otherColumns(attempts)]);
  }

  private async write(statement: Statement, columns: unknown[]): Promise<Recorded[]> {
    const [answer] = (await this.database.query<RecordAnswer>(statement, columns)) as [RecordAnswer];
    this.tellOfEndpoints(answer);
    const { ids, followed } = answer;
    for (const { lane_id, due_at } of followed) this.floors.lower(lane_id, due_at);
    const isFollowed = new Set(followed.map(({ id }) => id));
    return ids.map((id) => ({ id, isFollowed: isFollowed.has(id) }));
  }

  /** Warnings both: who is told that an endpoint fails is to be told that it does no more. */
  private tellOfEndpoints({ failing, recovered }: RecordAnswer): void {
    for (const { last_status_code: statusCode, last_error: error, ...endpoint } of failing ?? [])
      this.logger.warn({
        msg: 'endpoint fails, trying on',
        ...about(endpoint),
        statusCode,
        ...(error !== null && { error }),
      });
    for (const { failing_since: failingSince, ...endpoint } of recovered ?? [])
      this.logger.warn({
        msg: 'endpoint recovered',
        ...about(endpoint),
        failingSince: new Date(failingSince).toISOString(),
      });
  }

  override async dueLanes(what: 'all' | 'recent' = 'all'): Promise<DueLane[]> {
    const lanes = new Map<number, DueLane>();
    for (const { lane_ids, overdue_ms, free_since, is_idle, is_unanswered } of await this.looks.next(what)) {
      for (const [index, lane_id] of lane_ids.entries()) {
        const freeSince = free_since[index] ?? null;
        if (freeSince !== null) this.floors.lower(lane_id, freeSince);
        if (lanes.has(lane_id)) continue;
        const [isIdle, isUnanswered] = [is_idle[index]!, is_unanswered[index]!];
        lanes.set(lane_id, { lane_id, overdue_ms: overdue_ms[index]!, is_idle: isIdle, is_unanswered: isUnanswered });
      }
    }
    return [...lanes.values()].sort((one, other) => other.overdue_ms - one.overdue_ms);
  }

  override lanes(laneIds: number[]): Promise<LaneInfo[]> {
    return this.database.query<LaneInfo>(FIND_LANES, [laneIds]);
  }

  /** Below the oldest that was claimed nothing else is; in a lane where nothing was, nothing at all. */
  private raiseFloors(claims: LaneClaim[], begins: number[], claimed: ClaimRow[], clock: number): void {
    const oldest = new Map<number, number>();
    for (const row of claimed) oldest.set(row.lane_id, Math.min(row.due_at, oldest.get(row.lane_id) ?? Infinity));
    for (const [index, { laneId }] of claims.entries())
      this.floors.found(laneId, begins[index]!, oldest.get(laneId) ?? clock);
  }

  /** Of today, where most bodies are: by this machine's clock, which need not be right. */
  private claimOfToday(): Statement {
    const day = new Date().toISOString().slice(0, 10);
    if (day !== this.ofDay.day) this.ofDay = { day, claim: claimOn(day, tracing.isOn) };
    return this.ofDay.claim;
  }

  private async complete(rows: ClaimRow[], { secrets, lease, firsts, nexts }: ClaimAnswer): Promise<ClaimedRow[]> {
    const ofShop = new Map(secrets?.map((sealed) => [sealed.shop_id, sealed]));
    const firstOf = new Map(nexts?.map((next, index) => [next, firsts![index]!]));
    const complete = (await this.withBodies(rows)) as (ClaimRow & WithBody & Omit<ClaimedRow, keyof ClaimRow>)[];
    for (const row of complete) {
      row.sealed_secrets = ofShop.get(row.shop_id)!;
      row.lease = lease!;
      row.follows = firstOf.get(row.id) ?? null;
    }
    return complete;
  }

  private async withBodies(claimed: ClaimRow[]): Promise<(ClaimRow & WithBody)[]> {
    const elsewhere = claimed.filter((row) => row.request_body === null);
    if (elsewhere.length === 0) return claimed.filter(hasBody);
    const ids = elsewhere.map(({ id }) => id);
    const days = elsewhere.map((row) => row.body_day);
    const found = await this.database.query<StoredBody>(FIND_BODIES, [ids, days]);
    const bodies = new Map(found.map((row) => [row.delivery_id, row]));
    for (const row of elsewhere) {
      row.request_body = bodies.get(row.id)?.body ?? null;
      row.traceparent = bodies.get(row.id)?.traceparent ?? null;
    }
    if (bodies.size < ids.length)
      this.logger.error({ msg: 'pending deliveries without a body', ids: ids.slice(0, 10) });
    return claimed.filter(hasBody);
  }
}

/** The origin of an address from before these were checked may hold a user and a password. */
const about = ({ lane_id: laneId, shop_id: shopId, origin }: ChangedEndpoint) => ({
  laneId,
  shopId,
  origin: originOf(origin),
});

/** $1 to $7 of the statements that record. */
const deliveredColumns = (attempts: AttemptRecord[]): unknown[] => [
  attempts.map(({ id }) => id),
  attempts.map((attempt) => attempt.attempts),
  attempts.map(({ startedAt }) => startedAt),
  attempts.map(({ durationMs }) => Math.round(durationMs)),
  attempts.map(({ statusCode }) => statusCode),
  attempts.map(({ responseBody }) => responseBody),
  attempts.map(({ lease }) => lease),
];

/** $8 to $10 of those that take any outcome. */
const otherColumns = (attempts: AttemptRecord[]): unknown[] => [
  attempts.map(({ status }) => status),
  attempts.map(({ waitMs }) => Math.ceil(waitMs)),
  attempts.map(({ error }) => error),
];

interface StoredBody {
  delivery_id: number;
  body: string;
  traceparent: string | null;
}

type WithBody = Pick<ClaimedRow, 'request_body'>;

const hasBody = (row: ClaimRow): row is ClaimRow & WithBody => row.request_body !== null;

const columnsOf = (leases: Lease[]): [number[], string[]] => [
  leases.map(({ id }) => id),
  leases.map(({ lease }) => lease),
];
