import { OperationOutcomes } from '../../../src/payments/work/operation-outcomes.service.js';
import { OperationRecovery } from '../../../src/payments/work/recovery.service.js';
import { OperationRecords } from '../../../src/payments/store/operation-records.service.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { SystemClock } from '../../../src/shared/clock.js';
import type { TestApi } from './api-app.js';
import { IS_TRIED, moveTries } from '../operation-work.js';

/** A worker's recovery next to the API, which only runs when the test calls it. */
export const aRecovery = (api: TestApi): OperationRecovery =>
  new OperationRecovery(api.get(OperationRecords), api.get(OperationOutcomes), new SystemClock(), new Metrics());

/** Makes all open operations of these payments due now, even if claimed. */
export const makeDue = (api: TestApi, paymentIds: number[]) =>
  api.database.pool.query(
    moveTries(`clock_timestamp() - interval '1 ms'`, `o.payment_id = ANY ($1::bigint[]) AND d.due_at < 'infinity'`),
    [paymentIds],
  );

/** Ends all work of recovery that other test files have left: `recoverDue` would do it, too. */
export const endEarlierOperations = (api: TestApi) =>
  api.database.pool.query(`UPDATE due_work SET due_at = 'infinity' WHERE kind = 'operation'`);

/** Postpones the work that other files have left: recovery would call the provider of this test for it. */
const postponeOthers = (api: TestApi, paymentIds: number[]) =>
  api.database.pool.query(
    `UPDATE due_work SET due_at = clock_timestamp() + interval '1 h'
     WHERE kind = 'operation' AND subject_id <> ALL ($1::bigint[]) AND due_at < clock_timestamp() + interval '10 min'`,
    [paymentIds],
  );

/** Recovers the open operations of these payments, `rounds` times. */
export async function recover(api: TestApi, paymentIds: number[], rounds = 3): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await postponeOthers(api, paymentIds);
    await makeDue(api, paymentIds);
    await aRecovery(api).recoverDue();
  }
}

export interface OperationFound {
  kind: string;
  attempt: number;
  cause: string;
  state: string;
  idempotency_key: string;
  reason: string | null;
  is_due: boolean;
}

export const operationsOf = async (api: TestApi, paymentId: number): Promise<OperationFound[]> =>
  (
    await api.database.pool.query<OperationFound>(
      `SELECT kind, coalesce(attempt, charge_attempt, earlier_attempt) AS attempt, cause, state, idempotency_key, reason, ${IS_TRIED} AS is_due
       FROM provider_operations o WHERE payment_id = $1 ORDER BY id`,
      [paymentId],
    )
  ).rows;
