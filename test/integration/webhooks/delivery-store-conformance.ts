import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  AttemptRecord,
  ClaimedRow,
  DeliveryStore,
  DueLane,
  LaneClaim,
} from '../../../src/webhooks/delivery/delivery-store.js';
import { eventually } from '../../support/eventually.js';

/** What a worker writes down of the claimed delivery's attempt: delivered, unless `fields` say otherwise. */
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

/** What became of a delivery. */
interface Outcome {
  status: string;
  /** Attempts on record. */
  attempts: number;
}

/** A store under test, and what the contract leaves to the rest of the service. */
export interface StoreUnderTest {
  store: DeliveryStore;
  /** A new lane of a new shop. */
  aLane(): Promise<number>;
  /** Commits deliveries, in this order; one with the number of a `payment` is a change of that payment. */
  append(laneId: number, ...deliveries: { payment?: number; body?: string }[]): Promise<number[]>;
  /** A new secret for the shop of the lane; the one before stays valid if it `overlaps`. */
  rotateSecret(laneId: number, overlaps: boolean): Promise<void>;
  outcome(deliveryId: number): Promise<Outcome>;
  /** All that is pending becomes due so much sooner, as when that time goes by; leases end when they would. */
  timePasses(ms: number): Promise<void>;
  close(): Promise<void>;
}

const LEASE_MS = 60_000;
const SHORT_LEASE_MS = 50;

/** What every `DeliveryStore` must do; each runs it against itself. */
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
      it('leases what is due, oldest first, with what an attempt needs', async () => {
        const ids = await under.append(lane, { body: '{"a":"ü"}' }, {});
        const rows = await claim();
        expect(idsOf(rows)).toEqual(ids);
        expect(rows[0]).toMatchObject({ lane_id: lane, request_body: '{"a":"ü"}', attempts: 0, attempts_in_run: 0 });
      });

      it('takes the oldest up to the quota, of each lane its own', async () => {
        const [first] = await append(3);
        const other = await under.aLane();
        const others = await under.append(other, {}, {}, {});
        const rows = await store.claim([claimOf(lane, { quota: 1 }), claimOf(other, { quota: 2 })], LEASE_MS);
        expect(idsOf(rows).sort(byNumber)).toEqual([first, ...others.slice(0, 2)].sort(byNumber));
      });

      it('takes bodies up to the bytes allowed, and the first whatever its size', async () => {
        const [big, small, next] = await under.append(lane, { body: 'x'.repeat(900) }, { body: 'x' }, { body: 'xx' });
        expect(idsOf(await claim(LEASE_MS, { maxBytes: 500 }))).toEqual([big]);
        expect(idsOf(await claim(LEASE_MS, { maxBytes: 2 }))).toEqual([small]);
        expect(idsOf(await claim(LEASE_MS, { maxBytes: 2 }))).toEqual([next]);
      });

      it('never gives a row that somebody holds, not even to those who ask at once', async () => {
        const ids = await append(40);
        const rounds = await Promise.all([1, 2, 3, 4].map(() => claim(LEASE_MS, { quota: 10 })));
        const again = await claim();
        const claimed = idsOf([...rounds.flat(), ...again]);
        expect(claimed.sort(byNumber)).toEqual(ids);
        expect(await claim()).toEqual([]);
      });

      it('gives a row again, under the same webhook-id, when its lease is over', async () => {
        const [id] = await append(1);
        const { lease, webhook_id } = await claimOne(SHORT_LEASE_MS);
        const again = await claimEventually();
        expect([again.id, again.webhook_id]).toEqual([id, webhook_id]);
        expect(again.lease).not.toBe(lease);
      });

      it('brings the secrets of each shop as they are then, once rotated the one before, too', async () => {
        const other = await under.aLane();
        await append(2);
        await under.append(other, {});
        const [row, same] = await claim();
        expect(same!.encrypted_secrets).toEqual(row!.encrypted_secrets);
        expect(row!.encrypted_secrets).toMatchObject({ shop_id: row!.shop_id, previous: null });
        await store.release([row!, same!]);

        await under.rotateSecret(lane, true);
        const rows = await store.claim([claimOf(lane), claimOf(other)], LEASE_MS);
        for (const { lane_id, shop_id, encrypted_secrets } of rows) {
          const isRotated = lane_id === lane;
          expect(encrypted_secrets.shop_id).toBe(shop_id);
          expect(encrypted_secrets.previous).toBe(isRotated ? row!.encrypted_secrets.current : null);
          expect(encrypted_secrets.current === row!.encrypted_secrets.current).toBe(false);
        }
        expect(rows).toHaveLength(3);
      });

      it('brings a replaced secret no longer once its overlap is over', async () => {
        await append(1);
        const before = await claimOne();
        await store.release([before]);
        await under.rotateSecret(lane, false);
        const after = await claimOne();
        expect(after.encrypted_secrets.previous).toBeNull();
        expect(after.encrypted_secrets.current).not.toBe(before.encrypted_secrets.current);
      });

      it('gives no retry before its time', async () => {
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
      it('holds a later change back until the first attempt of the earlier one has ended', async () => {
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

      it('holds it back in another lane, too', async () => {
        const other = await under.aLane();
        await under.append(lane, { payment: 2 });
        const [later] = await under.append(other, { payment: 2 });
        expect(await store.claim([claimOf(other)], LEASE_MS)).toEqual([]);
        await store.record([attemptRecord(await claimOne())]);
        expect(idsOf(await store.claim([claimOf(other)], LEASE_MS))).toEqual([later]);
      });
    });

    describe('claim with the next changes', () => {
      const claimUnits = async (leaseMs = LEASE_MS, fields: Partial<LaneClaim> = {}): Promise<ClaimedRow[]> =>
        (await store.claim([claimOf(lane, { ...fields, withSuccessors: true })], leaseMs)).sort(
          (one, other) => one.id - other.id,
        );
      const chainOf = (rows: ClaimedRow[]): unknown[] => rows.map(({ id, predecessor_id }) => [id, predecessor_id]);
      const changes = (count: number, payment: number): { payment: number }[] =>
        Array.from({ length: count }, () => ({ payment }));

      it('brings the next three changes of each payment along, whole, and none after them', async () => {
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
        expect(next!.encrypted_secrets).toEqual(rows[0]!.encrypted_secrets);
        expect(await claimUnits()).toEqual([]);
        await store.record(rows.map((row) => attemptRecord(row)));
        expect(chainOf(await claimUnits())).toEqual([[fifth, null]]);
      });

      it('brings them beyond the quota, none of a retry, and only what waits for the delivery', async () => {
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

      it('counts their bodies with the one that they follow', async () => {
        const large = 'x'.repeat(90);
        const [first, second] = await under.append(lane, { payment: 6, body: 'xx' }, { payment: 6, body: large });
        const [third] = await append(1);
        expect(idsOf(await claimUnits(LEASE_MS, { maxBytes: 50 }))).toEqual([first, second]);
        expect(idsOf(await claimUnits(LEASE_MS, { maxBytes: 50 }))).toEqual([third]);
      });

      it('brings no more of them than one body may have', async () => {
        const body = 'x'.repeat(140_000);
        const ids = await under.append(lane, ...changes(4, 12).map((change) => ({ ...change, body })));
        expect(idsOf(await claimUnits())).toEqual(ids.slice(0, 3));
      });

      it('brings none of another lane, and the record says that it waited', async () => {
        const other = await under.aLane();
        await under.append(lane, { payment: 7 });
        const [later] = await under.append(other, { payment: 7 });
        const rows = await claimUnits();
        expect(rows).toHaveLength(1);
        expect(await store.record(rows.map((row) => attemptRecord(row)))).toMatchObject([{ hasSuccessor: true }]);
        expect(idsOf(await store.claim([claimOf(other)], LEASE_MS))).toEqual([later]);
      });

      it('brings none that waits for a change of another lane, too', async () => {
        const other = await under.aLane();
        const [first, second] = await under.append(lane, ...changes(2, 8));
        await under.append(other, { payment: 8 });
        await under.append(lane, { payment: 8 });
        expect(chainOf(await claimUnits())).toEqual([
          [first, null],
          [second, first],
        ]);
      });

      it('brings none that another worker holds, nor those behind it', async () => {
        const [first, second] = await under.append(lane, ...changes(3, 9));
        const [head, held, last] = await claimUnits();
        await store.release([head!, last!]);
        const again = await claimUnits();
        expect([held!.id, chainOf(again)]).toEqual([second, [[first, null]]]);
      });

      it('leaves them to wait once they were released, also with what they follow', async () => {
        const [first, second] = await under.append(lane, ...changes(2, 10));
        const [row, next] = await claimUnits();
        await store.release([next!]);
        expect(await claim()).toEqual([]);
        expect(await store.record([attemptRecord(row!)])).toMatchObject([{ id: first, hasSuccessor: true }]);
        expect(chainOf(await claimUnits())).toEqual([[second, null]]);
      });

      it('takes the record of both in either order', async () => {
        const [first, second] = await under.append(lane, ...changes(2, 11));
        const [row, next] = await claimUnits();
        expect(await store.record([attemptRecord(next!)])).toMatchObject([{ id: second, hasSuccessor: false }]);
        expect(await store.record([attemptRecord(row!)])).toMatchObject([{ id: first, hasSuccessor: false }]);
      });
    });

    describe('record', () => {
      it('records the end of a delivery once, however often it is called', async () => {
        const [id] = await append(1);
        const attempt = attemptRecord(await claimOne());
        expect(await recordedIds([attempt])).toEqual([id]);
        expect(await recordedIds([attempt])).toEqual([]);
        expect(await under.outcome(id!)).toEqual({ status: 'delivered', attempts: 1 });
        expect(await claim()).toEqual([]);
      });

      it('records a retry once, however often it is called', async () => {
        const [id] = await append(1);
        const attempt = failedAttempt(await claimOne(), 60_000);
        expect(await recordedIds([attempt])).toEqual([id]);
        expect(await recordedIds([attempt])).toEqual([]);
        expect(await under.outcome(id!)).toEqual({ status: 'pending', attempts: 1 });
      });

      it('fails a delivery for good', async () => {
        const [id] = await append(1);
        await store.record([{ ...failedAttempt(await claimOne(), 0), status: 'failed' }]);
        expect(await under.outcome(id!)).toEqual({ status: 'failed', attempts: 1 });
        expect(await claim()).toEqual([]);
      });

      it('records nothing of a lease that another worker has taken, and all of that worker’s', async () => {
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
      ])('does so when both are recorded at once and the late one %s', async (end, payment) => {
        const [id, follower] = await under.append(lane, { payment }, { payment });
        const late = await claimOne(SHORT_LEASE_MS);
        const present = await claimEventually();
        const lateEnd = end === 'delivered' ? attemptRecord(late) : failedAttempt(late, 60_000);
        const [ofLate, ofPresent] = await Promise.all(
          [lateEnd, attemptRecord(present)].map((attempt) => store.record([attempt])),
        );
        expect([ofLate, ofPresent]).toEqual([[], [{ id, hasSuccessor: true }]]);
        expect((await claimOne()).id).toBe(follower);
        expect(await under.outcome(id!)).toEqual({ status: 'delivered', attempts: 1 });
      });

      it('takes the result of an expired lease that nobody else has taken', async () => {
        const [id] = await append(1);
        const late = await claimOne(1);
        const claimedAt = Date.now();
        await eventually(() => Date.now() - claimedAt > 20);
        expect(await recordedIds([attemptRecord(late)])).toEqual([id]);
      });

      it('answers for each attempt of a call by itself', async () => {
        const [first, second] = await append(2);
        const [one, two] = await claim();
        await store.record([attemptRecord(one!)]);
        expect(await recordedIds([attemptRecord(one!), attemptRecord(two!)])).toEqual([second]);
        expect(await under.outcome(first!)).toEqual({ status: 'delivered', attempts: 1 });
      });
    });

    describe('leases', () => {
      it('end when released, and the delivery is due as before', async () => {
        const [id] = await append(1);
        const row = await claimOne();
        await store.release([row]);
        expect(await recordedIds([attemptRecord(row)])).toEqual([]);
        expect(await claimOne()).toMatchObject({ id, due_at: row.due_at, attempts: 0 });
      });

      it('are not ended by a worker that has lost them', async () => {
        await append(1);
        const late = await claimOne(SHORT_LEASE_MS);
        await claimEventually();
        await store.release([late]);
        expect(await claim()).toEqual([]);
      });
    });

    describe('due lanes', () => {
      it('leave a first attempt one second for its wake-up', async () => {
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
      ])('name a retry as soon as it is due; its last attempt got no answer: %s', async (isUnanswered, result) => {
        await append(1);
        await store.record([{ ...failedAttempt(await claimOne(), 1), ...result }]);
        const found = await eventually(async () => present(await dueLane()));
        expect(found).toMatchObject({ is_held: false, is_unanswered: isUnanswered });
      });

      it('say that a worker holds leases there, and since when something is due that none holds', async () => {
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

      it('leave out a lane whose changes wait for another lane', async () => {
        const other = await under.aLane();
        await under.append(other, { payment: 13 });
        await under.append(lane, { payment: 13 });
        await under.timePasses(1_000);
        await eventually(async () => (await store.dueLanes()).some(({ lane_id }) => lane_id === other));
        expect(await dueLane()).toBeUndefined();
      });

      it('are in the order of their oldest due delivery', async () => {
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

      it('leave out lanes where nothing is due', async () => {
        await append(1);
        await store.record([failedAttempt(await claimOne(), 60_000)]);
        expect(await dueLane()).toBeUndefined();
      });
    });

    it('names the shop, merchant and origin of a lane', async () => {
      const [info, ...others] = await store.lanes([lane]);
      expect(others).toEqual([]);
      expect(info).toMatchObject({ id: lane });
      expect(typeof info!.origin).toBe('string');
      expect([typeof info!.shop_id, typeof info!.merchant_id]).toEqual(['number', 'number']);
    });
  });
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('nothing there');
  return value;
}

const byNumber = (one?: number, other?: number): number => one! - other!;
const idsOf = (rows: ClaimedRow[]): number[] => rows.map(({ id }) => id);

const failedAttempt = (row: ClaimedRow, waitMs: number): AttemptRecord =>
  attemptRecord(row, { status: 'pending', waitMs, statusCode: 500 });
