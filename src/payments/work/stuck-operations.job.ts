import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { type Batch, MaintenanceJobs } from '../../platform/maintenance/maintenance-jobs.js';
import { isoTime } from '../../platform/database/iso-time.js';
import { EVENT_POSITION, insertEvents } from '../../webhooks/fan-out/fan-out-sql.js';
import type { OperationRow } from '../money/state/operation.js';
import { ATTEMPT, ATTEMPT_OF, NEXT_TRY_AT, OPEN_OPERATIONS } from '../store/operation.queries.js';

/** How long an outcome may be unknown; the alert ProviderOperationsOpen has the same limit. */
const STUCK_AFTER_MS = 900_000;
const INTERVAL_MS = 5_000;
const BATCH_SIZE = 500;

/**
 * Reports operations that a person must know of (`operation.stuck`): the passage of time reveals them. The mark of an
 * operation commits together with its event, so each operation is reported exactly once even if workers crash.
 */
@Injectable()
export class StuckOperations implements OnModuleInit {
  private readonly logger = new Logger(StuckOperations.name);

  constructor(private readonly maintenance: MaintenanceJobs) {}

  onModuleInit(): void {
    const batch = (transaction: Transaction) => this.report(transaction);
    this.maintenance.add({ name: 'stuck operations', everyMs: INTERVAL_MS, batch });
  }

  private async report(transaction: Transaction): Promise<Batch> {
    const stuck = await transaction.query<StuckOperation>(REPORT_STUCK, [STUCK_AFTER_MS, BATCH_SIZE]);
    const committed = (): void => {
      for (const { payment_id: paymentId, id: operationId, kind: operation, is_stopped: isStopped } of stuck)
        this.logger.warn({ msg: 'operation reported as stuck', paymentId, operationId, operation, isStopped });
    };
    return { rows: 0, more: stuck.length === BATCH_SIZE, committed };
  }
}

/** Without charges whose call is under way, and operations that the provider or the payer completes. */
const MAY_BE_STUCK = `o.stuck_at IS NULL AND (d.due_at = 'infinity' OR o.state = 'unknown' OR (o.state = 'open' AND o.kind <> 'charge'))`;

/** A reported operation; `is_stopped`: no worker tries it. */
type StuckOperation = Pick<OperationRow, 'payment_id' | 'id' | 'kind'> & { is_stopped: boolean };

/**
 * Reports operations that were stopped, or that have had no known outcome for $1 ms, each once, at most $2. Parallel
 * workers get different rows. Returns what was reported.
 */
const REPORT_STUCK: Statement = {
  name: 'operations.report_stuck',
  text: `WITH old AS MATERIALIZED (
      SELECT o.payment_id, o.id FROM ${OPEN_OPERATIONS}
      WHERE d.kind = 'operation' AND ${MAY_BE_STUCK}
        AND (d.due_at = 'infinity' OR o.created_at < clock_timestamp() - $1 * interval '1 ms')
      ORDER BY o.created_at LIMIT $2
    ), stuck AS MATERIALIZED (
      SELECT payment_id, id FROM provider_operations
      WHERE payment_id = ANY (ARRAY(SELECT payment_id FROM old)) AND id = ANY (ARRAY(SELECT id FROM old)) AND stuck_at IS NULL
      FOR NO KEY UPDATE SKIP LOCKED
    ), marked AS (
      UPDATE provider_operations o SET stuck_at = clock_timestamp()
      WHERE o.payment_id = ANY (ARRAY(SELECT payment_id FROM stuck)) AND o.id = ANY (ARRAY(SELECT id FROM stuck))
      RETURNING o.*
    ), ${insertEvents(
      ['shop_id', 'payment_id'],
      `SELECT ${EVENT_POSITION}, o.merchant_id, o.shop_id, o.payment_id, 'operation.stuck',
          json_build_object('payment_id', o.payment_id, 'operation_id', o.id, 'kind', o.kind, 'attempt', ${ATTEMPT_OF},
            'provider', a.provider, 'amount', trim_scale(o.amount), 'currency', o.currency,
            'is_stopped', ${NEXT_TRY_AT} IS NULL, 'tries', o.tries, 'last_answer', o.last_answer,
            'created_at', ${isoTime('o.created_at')})
        FROM marked o ${ATTEMPT}`,
    )}
    SELECT o.payment_id, o.id, o.kind, ${NEXT_TRY_AT} IS NULL AS is_stopped FROM marked o`,
};
