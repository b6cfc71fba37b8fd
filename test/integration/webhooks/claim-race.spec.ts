import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import type { Database, Statement } from '../../../src/platform/database/database.js';
import { configureSession } from '../../../src/platform/database/connection-watchdog.js';
import type { AttemptRecord, ClaimedRow } from '../../../src/webhooks/engine/delivery-store.js';
import { PostgresDeliveryStore } from '../../../src/webhooks/engine/postgres-delivery-store.js';
import { APPEND_DELIVERIES, appendValues } from '../../support/app/append-deliveries.js';
import { aDelivery } from '../../support/app/builders.js';
import { DAY_MS, earlyIn } from '../../support/early-in.js';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { attemptRecord } from './delivery-store-conformance.js';

const LANE = { laneId: 1, maxBytes: Infinity };
const LEASE_MS = 60_000;
const GATE = 1;

/**
 * Pauses a claim without changing its text. The claim calls `to_timestamp` to bound its index scan, after it has taken its
 * snapshot and before it reads a row. A session with this schema first in its search path waits there for the gate.
 */
const GATED = `CREATE SCHEMA gated;
  CREATE FUNCTION gated.to_timestamp(float8) RETURNS timestamptz IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_advisory_xact_lock_shared(${GATE});
    RETURN pg_catalog.to_timestamp($1);
  END $$`;

/** Two changes of one payment, and one of another payment. */
const NAMES = ['first', 'second', 'unrelated'];

describe('a claim whose rows change between its snapshot and its locks', () => {
  let database: TestDatabase;
  let claiming: pg.PoolClient;
  let moving: pg.PoolClient;
  let ids: number[];

  beforeEach(async () => {
    await earlyIn(DAY_MS);
    database = await createTestDatabase();
    const common = { merchantId: 1, shopId: 1, laneId: 1, webhookEndpoint: 'https://shop.example/' };
    const changes = [1, 1, 2].map((paymentId) => aDelivery({ ...common, paymentId }));
    await database.database.query(APPEND_DELIVERIES, appendValues(changes));
    ids = (await database.pool.query<{ id: number }>('SELECT id FROM pending_deliveries ORDER BY id')).rows.map(
      ({ id }) => id,
    );
    await database.pool.query(GATED);
    [claiming, moving] = [await database.pool.connect(), await database.pool.connect()];
    for (const session of [claiming, moving]) await configureSession(session);
    // a statement that would wait for the other session forever fails
    await claiming.query(`SET search_path = gated, pg_catalog, public; SET statement_timeout = '30 s'`);
  });
  afterEach(async () => {
    for (const session of [claiming, moving]) session.release(true);
    await database.drop();
  });

  const storeOn = (session: pg.PoolClient): PostgresDeliveryStore => {
    const query = async (statement: Statement, values: unknown[]) =>
      (await session.query<pg.QueryResultRow>({ ...statement, values })).rows;
    return new PostgresDeliveryStore({ query } as unknown as Database);
  };
  const claimAll = (session: pg.PoolClient) =>
    storeOn(session).claim([{ ...LANE, quota: 100, withSuccessors: true }], LEASE_MS);
  /** Leases the first change, with or without its successor, in the session that changes rows. */
  const lease = (withSuccessors = false) => storeOn(moving).claim([{ ...LANE, quota: 1, withSuccessors }], LEASE_MS);
  const leaseFirst = async (): Promise<ClaimedRow> => (await lease())[0]!;
  const releaseFirst = async () => storeOn(moving).release([await leaseFirst()]);
  const recordFirst = async (fields: Partial<AttemptRecord>) =>
    storeOn(moving).record([attemptRecord(await leaseFirst(), fields)]);
  const changeSecond = (change: string) => moving.query(`${change} WHERE id = $1`, [ids[1]]);

  const nameOf = (id: number): string => NAMES[ids.indexOf(id)]!;
  const described = (rows: ClaimedRow[]): string[] =>
    rows
      .sort((one, other) => one.id - other.id)
      .map(({ id, predecessor_id }) =>
        predecessor_id === null ? nameOf(id) : `${nameOf(id)} after ${nameOf(predecessor_id)}`,
      );

  /**
   * Runs a claim, and `move` in the other session between the claim's snapshot and its locks. `isCommitted`: whether the
   * other session commits before the locks. Returns the claimed deliveries.
   */
  async function claimedDuring(move: () => Promise<unknown>, isCommitted: boolean): Promise<string[]> {
    await moving.query(`SELECT pg_advisory_lock(${GATE})`);
    const claimed = claimAll(claiming);
    await eventually(async () => {
      const { rowCount } = await database.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`,
      );
      expect(rowCount).toBe(1);
    });
    await moving.query('BEGIN');
    await move();
    if (isCommitted) await moving.query('COMMIT');
    await moving.query(`SELECT pg_advisory_unlock(${GATE})`);
    const rows = await claimed;
    if (!isCommitted) await moving.query('COMMIT');
    return described(rows);
  }
  const claimedLater = async (): Promise<string[]> => described(await claimAll(moving));

  it('takes all rows if none has changed', async () => {
    expect(await claimedDuring(() => Promise.resolve(), true)).toEqual(['first', 'second after first', 'unrelated']);
    expect(await claimedLater()).toEqual([]);
  });

  describe.each([
    { state: 'committed', isCommitted: true },
    { state: 'not committed yet', isCommitted: false },
  ])('with a change that is $state', ({ isCommitted }) => {
    it.each([
      { how: 'leased', move: () => lease(), later: [] },
      { how: 'leased with its successor', move: () => lease(true), later: [] },
      { how: 'recorded as delivered', move: () => recordFirst({}), later: ['second'] },
      { how: 'postponed', move: () => recordFirst({ status: 'pending', waitMs: 600_000 }), later: ['second'] },
    ])('takes neither change when the first was $how', async ({ move, later }) => {
      expect(await claimedDuring(move, isCommitted)).toEqual(['unrelated']);
      expect(await claimedLater()).toEqual(later);
    });

    it.each([
      { how: 'leased', change: `UPDATE pending_deliveries SET claimed_until = now() + interval '1 minute'` },
      { how: 'leased and released', change: `UPDATE pending_deliveries SET claimed_until = '-infinity'` },
      { how: 'postponed', change: `UPDATE pending_deliveries SET attempts = 1, due_at = now() + interval '1 minute'` },
      { how: 'deleted', change: 'DELETE FROM pending_deliveries' },
    ])('takes only the first change when the second was $how', async ({ change }) => {
      expect(await claimedDuring(() => changeSecond(change), isCommitted)).toEqual(['first', 'unrelated']);
      expect(await claimedLater()).toEqual([]);
    });
  });

  it('returns the predecessor of the second change when the first was leased and released', async () => {
    expect(await claimedDuring(releaseFirst, true)).toEqual(['second after first', 'unrelated']);
    expect(await claimedLater()).toEqual(['first']);
  });

  it('takes neither change while the first is being released', async () => {
    expect(await claimedDuring(releaseFirst, false)).toEqual(['unrelated']);
    expect(await claimedLater()).toEqual(['first', 'second after first']);
  });
});
