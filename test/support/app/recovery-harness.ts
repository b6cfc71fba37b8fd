import { ChargeRecovery } from '../../../src/payments/operations/charge-recovery.service.js';
import { OperationRunner } from '../../../src/payments/operations/operation-runner.service.js';
import { RefundRunner } from '../../../src/payments/operations/refund-runner.service.js';
import { OperationRecovery } from '../../../src/payments/operations/recovery.service.js';
import { OperationClaims } from '../../../src/payments/operations/operation-claims.service.js';
import { OperationRecords } from '../../../src/payments/ledger/operation-records.service.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { SystemClock } from '../../../src/shared/clock.js';
import type { TestApi } from './api-app.js';

/** A worker's recovery next to the API, which only runs when the test calls it. */
export const aRecovery = (api: TestApi): OperationRecovery =>
  new OperationRecovery(
    api.get(OperationRecords),
    api.get(OperationClaims),
    api.get(ChargeRecovery),
    api.get(OperationRunner),
    api.get(RefundRunner),
    new SystemClock(),
    new Metrics(),
  );

/** Makes all open operations of these payments due now, even if claimed. */
export const makeDue = (api: TestApi, paymentIds: number[]) =>
  api.database.pool.query(
    `UPDATE provider_operations SET next_try_at = clock_timestamp() - interval '1 ms'
     WHERE payment_id = ANY ($1::bigint[]) AND state IN ('open', 'pending', 'unknown') AND next_try_at IS NOT NULL`,
    [paymentIds],
  );

/** Recovers the open operations of these payments, `rounds` times. */
export async function recover(api: TestApi, paymentIds: number[], rounds = 3): Promise<void> {
  for (let round = 0; round < rounds; round++) {
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
      `SELECT kind, coalesce(attempt, charge_attempt) AS attempt, cause, state, idempotency_key, reason, next_try_at IS NOT NULL AS is_due
       FROM provider_operations WHERE payment_id = $1 ORDER BY id`,
      [paymentId],
    )
  ).rows;
