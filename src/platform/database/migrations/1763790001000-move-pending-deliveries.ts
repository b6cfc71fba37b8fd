import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payments with pending deliveries that one transaction looks at. */
const BATCH = 500;
const PAUSE_MS = 200;
/** Longer than any lease: who holds rows for that long is stuck. */
const PATIENCE_MS = 60_000;

interface Position {
  lane_id: number;
  next_attempt_at: string;
  id: number;
}

const START: Position = { lane_id: 0, next_attempt_at: '-infinity', id: 0 };

/**
 * Moves what is pending to the new tables while workers of the version before still run.
 * - Payment by payment, all that it has pending or nothing: they would send its second change before its first.
 * - Never what is leased: whoever holds it records where he claimed it. So what is leased ends there, or is moved when it
 *   waits for its next attempt.
 * - In small transactions of its own, each complete in itself; begun anew after a crash it goes on where it was.
 * Nothing is added meanwhile: that is what the migration before this one forwards.
 */
export class MovePendingDeliveries1763790001000 implements MigrationInterface {
  name = 'MovePendingDeliveries1763790001000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    let movedAt = Date.now();
    while (await isAnythingLeft(queryRunner)) {
      if (await movePass(queryRunner)) movedAt = Date.now();
      else if (Date.now() - movedAt > PATIENCE_MS)
        throw new Error('pending deliveries stay locked or leased: end the old workers, then migrate again');
      else await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  /** Nothing to do: the migration before this one takes everything back. */
  async down(): Promise<void> {}
}

async function isAnythingLeft(queryRunner: QueryRunner): Promise<boolean> {
  const rows = (await queryRunner.query(
    `SELECT 1 FROM webhook_deliveries WHERE status = 'pending' LIMIT 1`,
  )) as object[];
  return rows.length > 0;
}

/** Once through all that is pending, by position: what was moved before is not read again. Whether anything was moved. */
async function movePass(queryRunner: QueryRunner): Promise<boolean> {
  let moved = 0;
  for (let at: Position | undefined = START; at;) {
    await queryRunner.startTransaction();
    try {
      await queryRunner.query('SET LOCAL enable_seqscan = off');
      const found = (await queryRunner.query(FIND, [at.lane_id, at.next_attempt_at, at.id, BATCH])) as (Position & {
        payment_id: number;
      })[];
      const [done] = (await queryRunner.query(MOVE, [found.map((row) => row.payment_id)])) as [{ moved: number }];
      await queryRunner.commitTransaction();
      moved += done.moved;
      at = found.at(-1);
    } catch (error) {
      await queryRunner.rollbackTransaction().catch(() => undefined);
      throw error;
    }
  }
  return moved > 0;
}

const FIND = `SELECT payment_id, lane_id, next_attempt_at::text AS next_attempt_at, id FROM webhook_deliveries
  WHERE status = 'pending' AND (lane_id, next_attempt_at, id) > ($1::bigint, $2::timestamptz, $3::bigint)
  ORDER BY lane_id, next_attempt_at, id LIMIT $4`;

/** $1 payments. Whose rows cannot all be locked, unleased, it leaves alone. */
const MOVE = `WITH locked AS MATERIALIZED (
    SELECT id, payment_id FROM webhook_deliveries
    WHERE payment_id = ANY ($1::bigint[]) AND status = 'pending' AND claimed_until <= statement_timestamp()
    ORDER BY id FOR UPDATE SKIP LOCKED
  ), whole AS MATERIALIZED (
    SELECT l.payment_id FROM locked l GROUP BY l.payment_id HAVING count(*) = (
      SELECT count(*) FROM webhook_deliveries d WHERE d.payment_id = l.payment_id AND d.status = 'pending')
  ), taken AS (
    DELETE FROM webhook_deliveries
    WHERE id = ANY (ARRAY(SELECT id FROM locked JOIN whole USING (payment_id))) RETURNING *
  ), bodies AS (
    INSERT INTO webhook_bodies (day, delivery_id, body)
    SELECT (statement_timestamp() AT TIME ZONE 'UTC')::date, id, request_body FROM taken
  ), moved AS (
    INSERT INTO pending_deliveries (id, due_at, lane_id, payment_id, merchant_id, shop_id, created_at, last_attempt_at,
      attempts, body_day, body_bytes, attempts_in_run, last_status_code, event, payment_status, webhook_endpoint, last_error)
    SELECT id, next_attempt_at, lane_id, payment_id, merchant_id, shop_id, created_at, last_attempt_at,
      attempts, (statement_timestamp() AT TIME ZONE 'UTC')::date, octet_length(request_body), attempts_in_run,
      last_status_code, event, payment_status, webhook_endpoint, last_error FROM taken
  )
  SELECT count(*)::int AS moved FROM taken`;
