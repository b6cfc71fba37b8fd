import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  AttemptRecord,
  ClaimedRow,
  DeliveryStore,
  DueLane,
  LaneClaim,
} from '../../../src/webhooks/engine/delivery-store.js';
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
      withNext: false,
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
        expect(same!.sealed_secrets).toEqual(row!.sealed_secrets);
        expect(row!.sealed_secrets).toMatchObject({ shop_id: row!.shop_id, previous: null });
        await store.handBack([row!, same!]);

        await under.rotateSecret(lane, true);
        const rows = await store.claim([claimOf(lane), claimOf(other)], LEASE_MS);
        for (const { lane_id, shop_id, sealed_secrets } of rows) {
          const isRotated = lane_id === lane;
          expect(sealed_secrets.shop_id).toBe(shop_id);
          expect(sealed_secrets.previous).toBe(isRotated ? row!.sealed_secrets.current : null);
          expect(sealed_secrets.current === row!.sealed_secrets.current).toBe(false);
        }
        expect(rows).toHaveLength(3);
      });

      it('brings a replaced secret no longer once its overlap is over', async () => {
        await append(1);
        const before = await claimOne();
        await store.handBack([before]);
        await under.rotateSecret(lane, false);
        const after = await claimOne();
        expect(after.sealed_secrets.previous).toBeNull();
        expect(after.sealed_secrets.current).not.toBe(before.sealed_secrets.current);
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

    describe('claim with next changes', () => {
      const claimWithNext = async (leaseMs = LEASE_MS, fields: Partial<LaneClaim> = {}): Promise<ClaimedRow[]> =>
        (await store.claim([claimOf(lane, { ...fields, withNext: true })], leaseMs)).sort(
          (one, other) => one.id - other.id,
        );
      const chainOf = (rows: ClaimedRow[]): unknown[] => rows.map(({ id, follows }) => [id, follows]);

      it('brings the next change of each payment along, whole, and none after it', async () => {
        const [first, second, third] = await under.append(
          lane,
          { payment: 3 },
          { payment: 3, body: '{"a":1}' },
          { payment: 3 },
        );
        const rows = await claimWithNext();
        expect(chainOf(rows)).toEqual([
          [first, null],
          [second, first],
        ]);
        const [, next] = rows;
        expect(next).toMatchObject({
          request_body: '{"a":1}',
          attempts: 0,
          lane_id: lane,
          payment_id: rows[0]!.payment_id,
        });
        expect(next!.sealed_secrets).toEqual(rows[0]!.sealed_secrets);
        expect(await claimWithNext()).toEqual([]);
        await store.record(rows.map((row) => attemptRecord(row)));
        expect(chainOf(await claimWithNext())).toEqual([[third, null]]);
      });

      it('brings it beyond the quota, of a retry none, and what waits for nobody without', async () => {
        const [first] = await under.append(lane, { payment: 4 });
        await store.record([failedAttempt(await claimOne(), 0)]);
        const [second, third] = await under.append(lane, { payment: 4 }, { payment: 4 });
        const [fourth, fifth, sixth] = await under.append(lane, { payment: 5 }, { payment: 5 }, {});
        await eventually(async () => ((await dueLane())?.overdue_ms ?? 0) > 0);
        expect(chainOf(await claimWithNext(LEASE_MS, { quota: 4 }))).toEqual([
          [first, null],
          [second, null],
          [third, second],
          [fourth, null],
          [fifth, fourth],
          [sixth, null],
        ]);
      });

      it('counts its body with the one that it follows', async () => {
        const [first, second] = await under.append(
          lane,
          { payment: 6, body: 'xx' },
          { payment: 6, body: 'x'.repeat(90) },
        );
        const [third] = await append(1);
        expect(idsOf(await claimWithNext(LEASE_MS, { maxBytes: 50 }))).toEqual([first, second]);
        expect(idsOf(await claimWithNext(LEASE_MS, { maxBytes: 50 }))).toEqual([third]);
      });

      it('brings none of another lane, and the record says that it waited', async () => {
        const other = await under.aLane();
        await under.append(lane, { payment: 7 });
        const [later] = await under.append(other, { payment: 7 });
        const rows = await claimWithNext();
        expect(rows).toHaveLength(1);
        expect(await store.record(rows.map((row) => attemptRecord(row)))).toMatchObject([{ isFollowed: true }]);
        expect(idsOf(await store.claim([claimOf(other)], LEASE_MS))).toEqual([later]);
      });

      it('brings none that waits for a change of another lane, too', async () => {
        const other = await under.aLane();
        const [first] = await under.append(lane, { payment: 8 });
        await under.append(other, { payment: 8 });
        await under.append(lane, { payment: 8 });
        expect(chainOf(await claimWithNext())).toEqual([[first, null]]);
      });

      it('brings none that somebody holds', async () => {
        const [first, second] = await under.append(lane, { payment: 9 }, { payment: 9 });
        const [, held] = await claimWithNext(SHORT_LEASE_MS);
        await store.renew([held!], LEASE_MS);
        const again = await eventually(async () => present((await claimWithNext())[0]));
        expect([held!.id, again.id, idsOf(await claimWithNext())]).toEqual([second, first, []]);
      });

      it('leaves it to wait once it was handed back, also with what it follows', async () => {
        const [first, second] = await under.append(lane, { payment: 10 }, { payment: 10 });
        const [row, next] = await claimWithNext();
        await store.handBack([next!]);
        expect(await claim()).toEqual([]);
        expect(await store.record([attemptRecord(row!)])).toMatchObject([{ id: first, isFollowed: true }]);
        expect(chainOf(await claimWithNext())).toEqual([[second, null]]);
      });

      it('takes the record of both in either order', async () => {
        const [first, second] = await under.append(lane, { payment: 11 }, { payment: 11 });
        const [row, next] = await claimWithNext();
        expect(await store.record([attemptRecord(next!)])).toMatchObject([{ id: second, isFollowed: false }]);
        expect(await store.record([attemptRecord(row!)])).toMatchObject([{ id: first, isFollowed: false }]);
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
        expect([ofLate, ofPresent]).toEqual([[], [{ id, isFollowed: true }]]);
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
      it('begin anew when renewed, under another name', async () => {
        const [id] = await append(1);
        const row = await claimOne(SHORT_LEASE_MS);
        const [renewed] = await store.renew([row], LEASE_MS);
        expect(renewed!.id).toBe(id);
        expect(await recordedIds([attemptRecord(row)])).toEqual([]);
        expect(await recordedIds([attemptRecord({ ...row, lease: renewed!.lease })])).toEqual([id]);
      });

      it('are not renewed once somebody else holds them', async () => {
        await append(1);
        const late = await claimOne(SHORT_LEASE_MS);
        await claimEventually();
        expect(await store.renew([late], LEASE_MS)).toEqual([]);
      });

      it('end when handed back, and the delivery is due as before', async () => {
        const [id] = await append(1);
        const row = await claimOne();
        await store.handBack([row]);
        expect(await recordedIds([attemptRecord(row)])).toEqual([]);
        expect(await claimOne()).toMatchObject({ id, due_at: row.due_at, attempts: 0 });
      });

      it('are not handed back by who has lost them', async () => {
        await append(1);
        const late = await claimOne(SHORT_LEASE_MS);
        await claimEventually();
        await store.handBack([late]);
        expect(await claim()).toEqual([]);
      });
    });

    describe('due lanes', () => {
      it('leaves a first attempt one second for its wake-up', async () => {
        await append(1);
        await under.timePasses(800);
        // at first it is not called idle; should this process stand still for a second, the first look is the last
        const lost = await eventually(async () => {
          const found = await dueLane();
          return found?.is_idle === true && found;
        });
        expect(lost).toMatchObject({ lane_id: lane, is_unanswered: false });
        expect(lost.overdue_ms).toBeGreaterThanOrEqual(1_000);
      });

      it('finds a retry as soon as it is due, and whether the last attempt was answered', async () => {
        await append(1);
        await store.record([{ ...failedAttempt(await claimOne(), 1), statusCode: null, error: 'timeout' }]);
        const found = await eventually(async () => present(await dueLane()));
        expect(found).toMatchObject({ is_idle: true, is_unanswered: true });
      });

      it('knows an answered retry from an unanswered one', async () => {
        await append(1);
        await store.record([failedAttempt(await claimOne(), 1)]);
        const found = await eventually(async () => present(await dueLane()));
        expect(found).toMatchObject({ is_idle: true, is_unanswered: false });
      });

      it('does not call a lane idle where somebody holds a lease', async () => {
        await append(2);
        const [one] = await claim(LEASE_MS, { quota: 1 });
        await under.timePasses(1_000);
        await eventually(async () => (((await dueLane())?.overdue_ms ?? 0) > 1_000 ? true : null));
        expect((await dueLane())?.is_idle ?? false).toBe(false);
        await store.handBack([one!]);
        expect(await eventually(async () => (await dueLane())?.is_idle || null)).toBe(true);
      });

      it('are in the order of their oldest due delivery', async () => {
        const other = await under.aLane();
        await under.append(other, {});
        const lanes = [other, lane];
        const older = Date.now();
        await eventually(() => Date.now() > older + 5);
        await append(1);
        const found = (await store.dueLanes()).filter(({ lane_id }) => lanes.includes(lane_id));
        expect(found.map(({ lane_id }) => lane_id)).toEqual(lanes);
      });

      it('does not name lanes where nothing is due', async () => {
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
