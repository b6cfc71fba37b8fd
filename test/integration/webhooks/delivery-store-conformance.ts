import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  AttemptRecord,
  ClaimedRow,
  DeliveryStore,
  DueLane,
  LaneClaim,
} from '../../../src/webhooks/engine/delivery-store.js';
import { eventually } from '../../support/eventually.js';

/** A worker's record of an attempt of the claimed delivery: delivered, unless `fields` differ. */
export const attemptRecord = (row: ClaimedRow, fields: Partial<AttemptRecord> = {}): AttemptRecord => ({
  id: row.id,
  attempts: row.attempts,
  lease: row.lease,
  status: 'delivered',
  waitMs: 0,
  statusCode: 200,
  error: null,
  startedAt: Date.now() / 1_000,
  durationMs: 5,
  responseBody: 'ok',
  ...fields,
});

/** The state of a delivery. */
interface Outcome {
  status: string;
  /** Recorded attempts. */
  attempts: number;
}

/** A store under test, and operations that are not part of its contract. */
export interface StoreUnderTest {
  store: DeliveryStore;
  /** Creates a lane of a new shop. */
  aLane(): Promise<number>;
  /** Commits deliveries in this order and returns their ids. Deliveries with the same `payment` are changes of one payment. */
  append(laneId: number, ...deliveries: { payment?: number; body?: string }[]): Promise<number[]>;
  /** Creates a standing endpoint that also gets what is then committed in the lane. Returns its lane. */
  anEndpoint(laneId: number): Promise<number>;
  /** Rotates the secret of the lane's shop. The previous one stays valid if `overlaps`. */
  rotateSecret(laneId: number, overlaps: boolean): Promise<void>;
  outcome(deliveryId: number): Promise<Outcome>;
  /** Makes all pending deliveries due earlier, as if this time had passed. Leases do not change. */
  timePasses(ms: number): Promise<void>;
  close(): Promise<void>;
}

const LEASE_MS = 60_000;
const SHORT_LEASE_MS = 50;

/** The contract of every `DeliveryStore`, run against each implementation. */
export function behavesAsDeliveryStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`delivery store, ${name}`, () => {
    let under: StoreUnderTest;
    let store: DeliveryStore;
    let lane: number;

    beforeAll(async () => {
      under = await open();
      store = under.store;
    });
    afterAll(() => under.close());
    beforeEach(async () => {
      lane = await under.aLane();
    });

    const claimOf = (laneId: number, fields: Partial<LaneClaim> = {}): LaneClaim => ({
      laneId,
      quota: 100,
      maxBytes: 1_000_000_000,
      withSuccessors: false,
      ...fields,
    });
    const recordedIds = async (attempts: AttemptRecord[]): Promise<number[]> =>
      (await store.record(attempts)).map(({ id }) => id);
    const claim = async (leaseMs = LEASE_MS, fields: Partial<LaneClaim> = {}): Promise<ClaimedRow[]> => {
      const rows = await store.claim([claimOf(lane, fields)], leaseMs);
      return rows.sort((one, other) => one.due_at - other.due_at || one.id - other.id);
    };
    const claimOne = async (leaseMs = LEASE_MS): Promise<ClaimedRow> => (await claim(leaseMs))[0]!;
    const claimEventually = (): Promise<ClaimedRow> => eventually(async () => present((await claim())[0]));
    const append = (count: number): Promise<number[]> =>
      under.append(lane, ...Array.from({ length: count }, () => ({})));
    const dueLane = async (): Promise<DueLane | undefined> =>
      (await store.dueLanes()).find(({ lane_id }) => lane_id === lane);

    describe('claim', () => {
      it('leases due deliveries, oldest first, with the data for an attempt', async () => {
        const ids = await under.append(lane, { body: '{"a":"ü"}' }, {});
        const rows = await claim();
        expect(idsOf(rows)).toEqual(ids);
        expect(rows[0]).toMatchObject({ lane_id: lane, request_body: '{"a":"ü"}', attempts: 0, attempts_in_run: 0 });
      });

      it('returns the oldest deliveries up to the quota of each lane', async () => {
        const [first] = await append(3);
        const other = await under.aLane();
        const others = await under.append(other, {}, {}, {});
        const rows = await store.claim([claimOf(lane, { quota: 1 }), claimOf(other, { quota: 2 })], LEASE_MS);
        expect(idsOf(rows).sort(byNumber)).toEqual([first, ...others.slice(0, 2)].sort(byNumber));
      });

      it('returns bodies up to the maximum bytes, and the first one of any size', async () => {
        const [big, small, next] = await under.append(lane, { body: 'x'.repeat(900) }, { body: 'x' }, { body: 'xx' });
        expect(idsOf(await claim(LEASE_MS, { maxBytes: 500 }))).toEqual([big]);
        expect(idsOf(await claim(LEASE_MS, { maxBytes: 2 }))).toEqual([small]);
        expect(idsOf(await claim(LEASE_MS, { maxBytes: 2 }))).toEqual([next]);
      });

      it('never returns a leased row, even to concurrent claims', async () => {
        const ids = await append(40);
        const rounds = await Promise.all([1, 2, 3, 4].map(() => claim(LEASE_MS, { quota: 10 })));
        const again = await claim();
        const claimed = idsOf([...rounds.flat(), ...again]);
        expect(claimed.sort(byNumber)).toEqual(ids);
        expect(await claim()).toEqual([]);
      });

      it('returns a row again after its lease, with the same webhook-id', async () => {
        const [id] = await append(1);
        const { lease, webhook_id } = await claimOne(SHORT_LEASE_MS);
        const again = await claimEventually();
        expect([again.id, again.webhook_id]).toEqual([id, webhook_id]);
        expect(again.lease).not.toBe(lease);
      });

      it('returns the current secrets of each shop, and the previous one after a rotation', async () => {
        const other = await under.aLane();
        await append(2);
        await under.append(other, {});
        const [row, same] = await claim();
        expect(same!.encrypted_receiver).toEqual(row!.encrypted_receiver);
        expect(row!.encrypted_receiver).toMatchObject({ shop_id: row!.shop_id, previous: null });
        await store.release([row!, same!]);

        await under.rotateSecret(lane, true);
        const rows = await store.claim([claimOf(lane), claimOf(other)], LEASE_MS);
        for (const { lane_id, shop_id, encrypted_receiver } of rows) {
          const isRotated = lane_id === lane;
          expect(encrypted_receiver).toMatchObject({ shop_id });
          expect(encrypted_receiver.previous).toBe(isRotated ? row!.encrypted_receiver.current : null);
          expect(encrypted_receiver.current === row!.encrypted_receiver.current).toBe(false);
        }
        expect(rows).toHaveLength(3);
      });

      it('returns no previous secret after its overlap', async () => {
        await append(1);
        const before = await claimOne();
        await store.release([before]);
        await under.rotateSecret(lane, false);
        const after = await claimOne();
        expect(after.encrypted_receiver.previous).toBeNull();
        expect(after.encrypted_receiver.current).not.toBe(before.encrypted_receiver.current);
      });

      it('returns no retry before its due time', async () => {
        await append(1);
        await store.record([failedAttempt(await claimOne(), 600_000)]);
        expect(await claim()).toEqual([]);
        await under.timePasses(500_000);
        expect(await claim()).toEqual([]);
        await under.timePasses(100_000);
        expect(await claimEventually()).toMatchObject({ attempts: 1, attempts_in_run: 1 });
      });
    });

    describe('order of a payment', () => {
      it('delays a later change until the first attempt of the earlier one has ended', async () => {
        const [first, second, third] = await under.append(lane, { payment: 1 }, { payment: 1 }, { payment: 1 });
        const rows = await claim();
        expect(idsOf(rows)).toEqual([first]);
        await store.record([failedAttempt(rows[0]!, 60_000)]);
        const [next] = await claim();
        expect(next!.id).toBe(second);
        await store.record([attemptRecord(next!)]);
        const [last] = await claim();
        expect(last!.id).toBe(third);
      });

      it('delays a later change in another lane too', async () => {
        const other = await under.aLane();
        await under.append(lane, { payment: 2 });
        const [later] = await under.append(other, { payment: 2 });
        expect(await store.claim([claimOf(other)], LEASE_MS)).toEqual([]);
        await store.record([attemptRecord(await claimOne())]);
        expect(idsOf(await store.claim([claimOf(other)], LEASE_MS))).toEqual([later]);
      });

      it('delays a later change at a standing endpoint only until the earlier one at this endpoint', async () => {
        const endpoint = await under.anEndpoint(lane);
        await under.append(lane, { payment: 3_001 }, { payment: 3_001 });
        const claimThere = (withSuccessors = false) => store.claim([claimOf(endpoint, { withSuccessors })], LEASE_MS);
        // the changes at the payment's own address are untried
        const [first, ...others] = await claimThere();
        expect([first!.lane_id, first!.endpoint_id, others]).toEqual([endpoint, endpoint, []]);
        expect(await store.record([attemptRecord(first!)])).toEqual([{ id: first!.id, hasSuccessor: true }]);
        const [second] = await claimThere();
        expect(second!.id).toBeGreaterThan(first!.id);
        expect(await store.record([attemptRecord(second!)])).toEqual([{ id: second!.id, hasSuccessor: false }]);
        expect(await claimThere()).toEqual([]);
        expect((await claim()).map((row) => row.endpoint_id)).toEqual([0]);
      });

      it('returns successors at the same endpoint only', async () => {
        const endpoint = await under.anEndpoint(lane);
        await under.append(lane, { payment: 3_002 }, { payment: 3_002 });
        for (const [laneId, endpointId] of [
          [endpoint, endpoint],
          [lane, 0],
        ] as const) {
          const rows = await store.claim([claimOf(laneId, { withSuccessors: true })], LEASE_MS);
          const [head, next] = rows.sort((one, other) => one.id - other.id);
          expect(rows.map((row) => row.endpoint_id)).toEqual([endpointId, endpointId]);
          expect([head!.predecessor_id, next!.predecessor_id]).toEqual([null, head!.id]);
        }
      });
    });

    describe('claim with successors', () => {
      const claimUnits = async (leaseMs = LEASE_MS, fields: Partial<LaneClaim> = {}): Promise<ClaimedRow[]> =>
        (await store.claim([claimOf(lane, { ...fields, withSuccessors: true })], leaseMs)).sort(
          (one, other) => one.id - other.id,
        );
      const chainOf = (rows: ClaimedRow[]): unknown[] => rows.map(({ id, predecessor_id }) => [id, predecessor_id]);
      const changes = (count: number, payment: number): { payment: number }[] =>
        Array.from({ length: count }, () => ({ payment }));

      it('returns the next three changes of each payment completely, and none after them', async () => {
        const [first, second, third, fourth, fifth] = await under.append(
          lane,
          { payment: 3 },
          { payment: 3, body: '{"a":1}' },
          ...changes(3, 3),
        );
        const rows = await claimUnits();
        expect(chainOf(rows)).toEqual([
          [first, null],
          [second, first],
          [third, second],
          [fourth, third],
        ]);
        const [, next] = rows;
        const { payment_id } = rows[0]!;
        expect(next).toMatchObject({ request_body: '{"a":1}', attempts: 0, lane_id: lane, payment_id });
        expect(next!.encrypted_receiver).toEqual(rows[0]!.encrypted_receiver);
        expect(await claimUnits()).toEqual([]);
        await store.record(rows.map((row) => attemptRecord(row)));
        expect(chainOf(await claimUnits())).toEqual([[fifth, null]]);
      });

      it('returns successors beyond the quota, but none of a retry', async () => {
        const [first] = await under.append(lane, { payment: 4 });
        await store.record([failedAttempt(await claimOne(), 0)]);
        const [second, third] = await under.append(lane, ...changes(2, 4));
        const [fourth, fifth, sixth] = await under.append(lane, ...changes(2, 5), {});
        await eventually(async () => chainOf(await store.claim([claimOf(lane, { quota: 0 })], 1)).length === 0);
        expect(chainOf(await claimUnits(LEASE_MS, { quota: 4 }))).toEqual([
          [first, null],
          [second, null],
          [third, second],
          [fourth, null],
          [fifth, fourth],
          [sixth, null],
        ]);
      });

      it('counts the bytes of successors with their predecessor', async () => {
        const large = 'x'.repeat(90);
        const [first, second] = await under.append(lane, { payment: 6, body: 'xx' }, { payment: 6, body: large });
        const [third] = await append(1);
        expect(idsOf(await claimUnits(LEASE_MS, { maxBytes: 50 }))).toEqual([first, second]);
        expect(idsOf(await claimUnits(LEASE_MS, { maxBytes: 50 }))).toEqual([third]);
      });

      it('returns units of at most the bytes of one body', async () => {
        const body = 'x'.repeat(140_000);
        const ids = await under.append(lane, ...changes(4, 12).map((change) => ({ ...change, body })));
        expect(idsOf(await claimUnits())).toEqual(ids.slice(0, 3));
      });

      it('returns no successor in another lane, and the record reports it', async () => {
        const other = await under.aLane();
        await under.append(lane, { payment: 7 });
        const [later] = await under.append(other, { payment: 7 });
        const rows = await claimUnits();
        expect(rows).toHaveLength(1);
        expect(await store.record(rows.map((row) => attemptRecord(row)))).toMatchObject([{ hasSuccessor: true }]);
        expect(idsOf(await store.claim([claimOf(other)], LEASE_MS))).toEqual([later]);
      });

      it('returns no successor that also waits for a change in another lane', async () => {
        const other = await under.aLane();
        const [first, second] = await under.append(lane, ...changes(2, 8));
        await under.append(other, { payment: 8 });
        await under.append(lane, { payment: 8 });
        expect(chainOf(await claimUnits())).toEqual([
          [first, null],
          [second, first],
        ]);
      });

      it('returns no successor that another worker holds, and none after it', async () => {
        const [first, second] = await under.append(lane, ...changes(3, 9));
        const [head, held, last] = await claimUnits();
        await store.release([head!, last!]);
        const again = await claimUnits();
        expect([held!.id, chainOf(again)]).toEqual([second, [[first, null]]]);
      });

      it('delays released successors until the record of their predecessor', async () => {
        const [first, second] = await under.append(lane, ...changes(2, 10));
        const [row, next] = await claimUnits();
        await store.release([next!]);
        expect(await claim()).toEqual([]);
        expect(await store.record([attemptRecord(row!)])).toMatchObject([{ id: first, hasSuccessor: true }]);
        expect(chainOf(await claimUnits())).toEqual([[second, null]]);
      });

      it('allows both records in any order', async () => {
        const [first, second] = await under.append(lane, ...changes(2, 11));
        const [row, next] = await claimUnits();
        expect(await store.record([attemptRecord(next!)])).toMatchObject([{ id: second, hasSuccessor: false }]);
        expect(await store.record([attemptRecord(row!)])).toMatchObject([{ id: first, hasSuccessor: false }]);
      });
    });

    describe('record', () => {
      it('records the end of a delivery once, even if repeated', async () => {
        const [id] = await append(1);
        const attempt = attemptRecord(await claimOne());
        expect(await recordedIds([attempt])).toEqual([id]);
        expect(await recordedIds([attempt])).toEqual([]);
        expect(await under.outcome(id!)).toEqual({ status: 'delivered', attempts: 1 });
        expect(await claim()).toEqual([]);
      });

      it('records a retry once, even if repeated', async () => {
        const [id] = await append(1);
        const attempt = failedAttempt(await claimOne(), 60_000);
        expect(await recordedIds([attempt])).toEqual([id]);
        expect(await recordedIds([attempt])).toEqual([]);
        expect(await under.outcome(id!)).toEqual({ status: 'pending', attempts: 1 });
      });

      it('ends a delivery as failed', async () => {
        const [id] = await append(1);
        await store.record([{ ...failedAttempt(await claimOne(), 0), status: 'failed' }]);
        expect(await under.outcome(id!)).toEqual({ status: 'failed', attempts: 1 });
        expect(await claim()).toEqual([]);
      });

      it('ignores the result of a lost lease, and records the result of the new one', async () => {
        const [id] = await append(1);
        const late = await claimOne(SHORT_LEASE_MS);
        const present = await claimEventually();
        expect(await recordedIds([failedAttempt(late, 60_000)])).toEqual([]);
        expect(await under.outcome(id!)).toEqual({ status: 'pending', attempts: 0 });
        expect(await recordedIds([attemptRecord(present)])).toEqual([id]);
      });

      it.each([
        ['delivered', 21],
        ['failed', 22],
      ])('ignores the result of a lost lease that is recorded concurrently as %s', async (end, payment) => {
        const [id, follower] = await under.append(lane, { payment }, { payment });
        const late = await claimOne(SHORT_LEASE_MS);
        const present = await claimEventually();
        const lateEnd = end === 'delivered' ? attemptRecord(late) : failedAttempt(late, 60_000);
        const [lateRecords, presentRecords] = await Promise.all(
          [lateEnd, attemptRecord(present)].map((attempt) => store.record([attempt])),
        );
        expect([lateRecords, presentRecords]).toEqual([[], [{ id, hasSuccessor: true }]]);
        expect((await claimOne()).id).toBe(follower);
        expect(await under.outcome(id!)).toEqual({ status: 'delivered', attempts: 1 });
      });

      it('records the result of an expired lease if no other worker has one', async () => {
        const [id] = await append(1);
        const late = await claimOne(1);
        const claimedAt = Date.now();
        await eventually(() => Date.now() - claimedAt > 20);
        expect(await recordedIds([attemptRecord(late)])).toEqual([id]);
      });

      it('handles each attempt of a call separately', async () => {
        const [first, second] = await append(2);
        const [one, two] = await claim();
        await store.record([attemptRecord(one!)]);
        expect(await recordedIds([attemptRecord(one!), attemptRecord(two!)])).toEqual([second]);
        expect(await under.outcome(first!)).toEqual({ status: 'delivered', attempts: 1 });
      });
    });

    describe('leases', () => {
      it('end with a release, and the delivery is due as before', async () => {
        const [id] = await append(1);
        const row = await claimOne();
        await store.release([row]);
        expect(await recordedIds([attemptRecord(row)])).toEqual([]);
        expect(await claimOne()).toMatchObject({ id, due_at: row.due_at, attempts: 0 });
      });

      it('stay when a worker that has lost them releases', async () => {
        await append(1);
        const late = await claimOne(SHORT_LEASE_MS);
        await claimEventually();
        await store.release([late]);
        expect(await claim()).toEqual([]);
      });
    });

    describe('due lanes', () => {
      it('exclude first attempts that are due for less than a second', async () => {
        await append(1);
        expect(await dueLane()).toBeUndefined();
        await under.timePasses(1_000);
        const lost = await eventually(async () => present(await dueLane()));
        expect(lost).toMatchObject({ lane_id: lane, is_held: false, is_unanswered: false });
        expect(lost.overdue_ms).toBeGreaterThanOrEqual(1_000);
      });

      it.each([
        [true, { statusCode: null, error: 'timeout' as const }],
        [false, { statusCode: 500 }],
      ])('include a due retry at once, with is_unanswered = %s', async (isUnanswered, result) => {
        await append(1);
        await store.record([{ ...failedAttempt(await claimOne(), 1), ...result }]);
        const found = await eventually(async () => present(await dueLane()));
        expect(found).toMatchObject({ is_held: false, is_unanswered: isUnanswered });
      });

      it('show whether a worker holds leases, and the age of the oldest delivery without a lease', async () => {
        await append(1);
        const held = await claimOne();
        await under.timePasses(60_000);
        expect(await dueLane()).toBeUndefined();
        await append(1);
        await under.timePasses(1_000);
        const found = await eventually(async () => present(await dueLane()));
        expect(found.is_held).toBe(true);
        expect(found.overdue_ms).toBeLessThan(60_000);
        await store.release([held]);
        expect(await dueLane()).toMatchObject({ is_held: false });
      });

      it('exclude a lane whose changes wait for another lane', async () => {
        const other = await under.aLane();
        await under.append(other, { payment: 13 });
        await under.append(lane, { payment: 13 });
        await under.timePasses(1_000);
        await eventually(async () => (await store.dueLanes()).some(({ lane_id }) => lane_id === other));
        expect(await dueLane()).toBeUndefined();
      });

      it('come in the order of their oldest due delivery', async () => {
        const other = await under.aLane();
        await under.append(other, {});
        const lanes = [other, lane];
        const older = Date.now();
        await eventually(() => Date.now() > older + 5);
        await append(1);
        await under.timePasses(1_000);
        const found = await eventually(async () => {
          const two = (await store.dueLanes()).filter(({ lane_id }) => lanes.includes(lane_id));
          return two.length === 2 && two;
        });
        expect(found.map(({ lane_id }) => lane_id)).toEqual(lanes);
      });

      it('exclude lanes without due deliveries', async () => {
        await append(1);
        await store.record([failedAttempt(await claimOne(), 60_000)]);
        expect(await dueLane()).toBeUndefined();
      });
    });

    it('returns the shop, merchant and origin of a lane', async () => {
      const [info, ...others] = await store.lanes([lane]);
      expect(others).toEqual([]);
      expect(info).toMatchObject({ id: lane });
      expect(typeof info!.origin).toBe('string');
      expect([typeof info!.shop_id, typeof info!.merchant_id]).toEqual(['number', 'number']);
    });
  });
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('no value yet');
  return value;
}

const byNumber = (one?: number, other?: number): number => one! - other!;
const idsOf = (rows: ClaimedRow[]): number[] => rows.map(({ id }) => id);

const failedAttempt = (row: ClaimedRow, waitMs: number): AttemptRecord =>
  attemptRecord(row, { status: 'pending', waitMs, statusCode: 500 });
