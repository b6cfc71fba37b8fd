import type { EncryptedReceiver } from '../../../src/webhooks/endpoint/secrets/encrypted-receiver.js';
import { DEFAULT_ENDPOINT } from '../../../src/webhooks/endpoint/secrets/receiver.js';
import {
  type AttemptRecord,
  type ClaimedRow,
  DeliveryStore,
  type DueLane,
  type LaneClaim,
  type LaneInfo,
  type Lease,
  MAX_BODY_BYTES,
  MAX_SUCCESSORS,
  type Recorded,
  WAKE_UP_MS,
} from '../../../src/webhooks/engine/delivery-store.js';

/** The merchant of all shops. */
const MERCHANT = 1;

/** A stored delivery. `dueAtMs` is `null` when it has ended. */
export interface MemoryDelivery {
  readonly id: number;
  readonly laneId: number;
  readonly paymentId: number;
  /** The standing endpoint; 0: the payment's own address. */
  readonly endpointId: number;
  readonly endpoint: string;
  readonly body: string;
  status: AttemptRecord['status'];
  dueAtMs: number | null;
  attempts: number;
  attemptsInRun: number;
  claimedUntilMs: number;
  lease: string | null;
  readonly history: AttemptRecord[];
}

/** Without `endpointId`: to the payment's own address. */
export type NewMemoryDelivery = Pick<MemoryDelivery, 'id' | 'laneId' | 'paymentId' | 'endpoint' | 'body'> &
  Partial<Pick<MemoryDelivery, 'endpointId'>>;

const MOST_DUE_LANES = 5_000;

/**
 * Implements the contract of `DeliveryStore` in memory: each call is one step, like a statement. Not for production: it
 * stores nothing durably, and a claim scans all pending deliveries of its lanes.
 */
export class MemoryDeliveryStore extends DeliveryStore {
  readonly deliveries = new Map<number, MemoryDelivery>();
  /** The default endpoints of shops: the same object in all rows of a claim. */
  private readonly receivers = new Map<number, EncryptedReceiver>();
  private readonly laneInfos = new Map<number, LaneInfo>();
  private readonly pendingOf = new Map<number, MemoryDelivery[]>();
  /** The changes of each payment at each endpoint. */
  private readonly changes = new Map<string, MemoryDelivery[]>();
  /** Number of deliveries that have not ended. */
  pending = 0;
  private leases = 0;

  /** `now`: the store's clock, in ms since 1970 or any other start. */
  constructor(private readonly now: () => number = Date.now) {
    super();
  }

  addLane(lane: LaneInfo): void {
    this.laneInfos.set(lane.id, lane);
    this.pendingOf.set(lane.id, []);
  }

  /** The previous secret stays valid if `overlaps`. */
  rotateSecret(laneId: number, current: string, overlaps: boolean): void {
    const { shop_id } = this.laneInfos.get(laneId)!;
    const previous = overlaps ? this.receiverOf(shop_id).current : null;
    this.receivers.set(shop_id, { endpoint_id: DEFAULT_ENDPOINT, shop_id, merchant_id: MERCHANT, current, previous });
  }

  /** Due from now on. Ids grow in the order of a payment's changes. */
  append(fields: NewMemoryDelivery): MemoryDelivery {
    const delivery: MemoryDelivery = {
      endpointId: 0,
      ...fields,
      status: 'pending',
      dueAtMs: this.now(),
      attempts: 0,
      attemptsInRun: 0,
      claimedUntilMs: -Infinity,
      lease: null,
      history: [],
    };
    this.pending += 1;
    this.deliveries.set(delivery.id, delivery);
    this.pendingOf.get(delivery.laneId)!.push(delivery);
    const changes = this.changes.get(keyOf(delivery));
    if (changes === undefined) this.changes.set(keyOf(delivery), [delivery]);
    else changes.push(delivery);
    return delivery;
  }

  /** Puts an ended delivery back into the queue for a new run of the schedule. */
  redeliver(delivery: MemoryDelivery): void {
    Object.assign(delivery, { status: 'pending', dueAtMs: this.now(), attemptsInRun: 0 });
    this.pending += 1;
    this.pendingOf.get(delivery.laneId)!.push(delivery);
  }

  override claim(claims: LaneClaim[], leaseMs: number): Promise<ClaimedRow[]> {
    return Promise.resolve(claims.flatMap((claim) => this.claimLane(claim, leaseMs)));
  }

  override release(leases: Lease[]): Promise<void> {
    for (const delivery of leases.flatMap((lease) => this.held(lease))) endLease(delivery);
    return Promise.resolve();
  }

  override record(attempts: AttemptRecord[]): Promise<Recorded[]> {
    const recorded = attempts.filter((attempt) => this.recordOne(attempt));
    return Promise.resolve(recorded.map((attempt) => this.answerOf(attempt)));
  }

  override dueLanes(): Promise<DueLane[]> {
    const due = [...this.pendingOf.keys()].flatMap((laneId) => this.dueLane(laneId));
    return Promise.resolve(due.sort((one, other) => other.overdue_ms - one.overdue_ms).slice(0, MOST_DUE_LANES));
  }

  override lanes(laneIds: number[]): Promise<LaneInfo[]> {
    return Promise.resolve(laneIds.flatMap((laneId) => this.laneInfos.get(laneId) ?? []));
  }

  /**
   * Whether the first attempt of every earlier change of its payment at the endpoint has ended, according to the store
   * or to `isKnown`.
   */
  isUnblocked(delivery: MemoryDelivery, isKnown = (_: MemoryDelivery): boolean => false): boolean {
    const isBlocking = (earlier: MemoryDelivery): boolean =>
      earlier.id < delivery.id && isUntried(earlier) && !isKnown(earlier);
    return delivery.attempts > 0 || !this.changesOf(delivery).some(isBlocking);
  }

  private receiverOf(shopId: number): EncryptedReceiver {
    const first = { endpoint_id: DEFAULT_ENDPOINT, shop_id: shopId, merchant_id: MERCHANT };
    const known = this.receivers.get(shopId) ?? { ...first, current: `secret of shop ${shopId}`, previous: null };
    this.receivers.set(shopId, known);
    return known;
  }

  private changesOf(delivery: MemoryDelivery): MemoryDelivery[] {
    return this.changes.get(keyOf(delivery))!;
  }

  private dueOf(laneId: number): MemoryDelivery[] {
    const now = this.now();
    const due = (this.pendingOf.get(laneId) ?? []).filter(({ dueAtMs }) => dueAtMs! <= now);
    return due.sort((one, other) => one.dueAtMs! - other.dueAtMs! || one.id - other.id);
  }

  private claimLane({ laneId, quota, maxBytes, withSuccessors }: LaneClaim, leaseMs: number): ClaimedRow[] {
    const units: MemoryDelivery[][] = [];
    let bytes = 0;
    for (const delivery of this.dueOf(laneId)) {
      if (delivery.claimedUntilMs > this.now() || !this.isUnblocked(delivery)) continue;
      const unit = [delivery, ...(withSuccessors ? this.changesAfter(delivery) : [])];
      bytes += bytesOf(unit);
      if (units.length === quota || (units.length > 0 && bytes > maxBytes)) break;
      units.push(unit);
    }
    return units.flatMap((unit) =>
      unit.map((delivery, index) => ({ ...this.lend(delivery, leaseMs), predecessor_id: unit[index - 1]?.id ?? null })),
    );
  }

  /** The later changes of the payment at the endpoint that a claim of the delivery includes. */
  private changesAfter(delivery: MemoryDelivery): MemoryDelivery[] {
    const { id, laneId, attempts } = delivery;
    if (attempts > 0) return [];
    const later = this.changesOf(delivery).filter((change) => change.id > id && isUntried(change));
    const isFree = (change: MemoryDelivery): boolean =>
      change.laneId === laneId && change.claimedUntilMs <= this.now() && change.dueAtMs! <= this.now();
    const other = later.findIndex((change) => !isFree(change));
    const free = later.slice(0, other < 0 ? MAX_SUCCESSORS : Math.min(other, MAX_SUCCESSORS));
    return free.filter((_, index) => bytesOf(free.slice(0, index + 1)) <= MAX_BODY_BYTES);
  }

  private answerOf({ id, attempts }: AttemptRecord): Recorded {
    const delivery = this.deliveries.get(id)!;
    const isLater = (change: MemoryDelivery): boolean => change.id > id && change.status === 'pending';
    return { id, hasSuccessor: attempts === 0 && this.changesOf(delivery).some(isLater) };
  }

  private lend(delivery: MemoryDelivery, leaseMs: number): ClaimedRow {
    delivery.claimedUntilMs = this.now() + leaseMs;
    delivery.lease = `${delivery.claimedUntilMs}/${++this.leases}`;
    return this.rowOf(delivery);
  }

  private held({ id, lease }: Lease): MemoryDelivery[] {
    const delivery = this.deliveries.get(id);
    return delivery !== undefined && delivery.lease === lease ? [delivery] : [];
  }

  private recordOne(attempt: AttemptRecord): boolean {
    const [delivery] = this.held(attempt);
    if (delivery === undefined || delivery.attempts !== attempt.attempts) return false;
    endLease(delivery);
    delivery.attempts += 1;
    delivery.attemptsInRun += 1;
    delivery.status = attempt.status;
    delivery.dueAtMs = attempt.status === 'pending' ? this.now() + Math.ceil(attempt.waitMs) : null;
    delivery.history.push(attempt);
    if (attempt.status !== 'pending') this.ended(delivery);
    return true;
  }

  private ended(delivery: MemoryDelivery): void {
    const pending = this.pendingOf.get(delivery.laneId)!;
    pending.splice(pending.indexOf(delivery), 1);
    this.pending -= 1;
  }

  private dueLane(laneId: number): DueLane[] {
    const due = this.dueOf(laneId);
    if (due.length === 0) return [];
    const now = this.now();
    const isClaimable = (delivery: MemoryDelivery): boolean =>
      (delivery.attempts > 0 || delivery.dueAtMs! <= now - WAKE_UP_MS) && this.isUnblocked(delivery);
    const free = due.filter(({ claimedUntilMs }) => claimedUntilMs <= now);
    if (!free.some(isClaimable)) return [];
    const lane = {
      lane_id: laneId,
      overdue_ms: now - free[0]!.dueAtMs!,
      is_held: free.length < due.length,
      is_unanswered: due.some(isUnanswered),
    };
    return [lane];
  }

  private rowOf(delivery: MemoryDelivery): ClaimedRow {
    const { id, laneId, paymentId, endpointId, attempts } = delivery;
    const { shop_id } = this.laneInfos.get(laneId)!;
    const isStanding = endpointId !== 0;
    return {
      id,
      webhook_id: String(id),
      shop_id: isStanding ? null : shop_id,
      lane_id: laneId,
      payment_id: paymentId,
      endpoint_id: endpointId,
      webhook_endpoint: delivery.endpoint,
      request_body: delivery.body,
      encrypted_receiver: isStanding ? encryptedEndpoint(delivery) : this.receiverOf(shop_id),
      due_at: delivery.dueAtMs! / 1_000,
      lease: delivery.lease!,
      attempts,
      attempts_in_run: delivery.attemptsInRun,
      predecessor_id: null,
    };
  }
}

const keyOf = ({ paymentId, endpointId }: MemoryDelivery): string => `${paymentId}/${endpointId}`;

const encryptedEndpoint = ({ endpointId, endpoint }: MemoryDelivery): EncryptedReceiver => ({
  endpoint_id: endpointId,
  shop_id: null,
  merchant_id: MERCHANT,
  url: endpoint,
  format: 'json',
  max_per_second: null,
  current: `secret of endpoint ${endpointId}`,
  previous: null,
  next: null,
  headers: null,
  auth: null,
});

const bytesOf = (deliveries: MemoryDelivery[]): number =>
  deliveries.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);

const isUntried = ({ status, attempts }: MemoryDelivery): boolean => status === 'pending' && attempts === 0;

const isUnanswered = ({ history }: MemoryDelivery): boolean =>
  history.length > 0 && history[history.length - 1]!.statusCode === null;

function endLease(delivery: MemoryDelivery): void {
  delivery.claimedUntilMs = -Infinity;
  delivery.lease = null;
}
