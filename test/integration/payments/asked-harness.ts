import { AskedLookUps } from '../../../src/payments/notifications/asked-look-ups.job.js';
import { OperationRecords } from '../../../src/payments/store/operation-records.service.js';
import { PaymentsService } from '../../../src/payments/store/payments.service.js';
import { MoneyService } from '../../../src/payments/store/money.service.js';
import { ActionCompletion } from '../../../src/payments/work/action-completion.service.js';
import { ProviderCallsService } from '../../../src/payments/work/provider-calls.service.js';
import { Database } from '../../../src/platform/database/database.js';
import type { TestApi } from '../../support/app/api-app.js';
import type { ApiResponse } from '../../support/app/api-client.js';
import type { Merchant } from '../../support/app/merchant.js';

/** A worker's look-ups next to the API, which only run when the test calls them. */
export const aLookUps = (api: TestApi): AskedLookUps =>
  new AskedLookUps(
    api.get(Database),
    api.get(OperationRecords),
    api.get(ProviderCallsService),
    api.get(PaymentsService),
    api.get(MoneyService),
    api.get(ActionCompletion),
  );

/** An unsigned notification that only names transactions, for `scriptNotifications`. */
export const ask = (
  merchant: Merchant,
  shopId: number,
  transactionIds: readonly unknown[],
  headers: Record<string, string> = {},
): Promise<ApiResponse> => {
  const parsed = { events: [], ask: transactionIds, acknowledge: { contentType: 'text/plain', body: 'OK' } };
  return merchant.api.post(`/providers/sandbox/notifications/${shopId}`, JSON.stringify(parsed), headers);
};

interface AskedRow {
  asked: boolean;
  /** Time from the start of the last look-up to the next one, in ms; `null`: there is no next one, or was none. */
  wait_ms: number | null;
  is_due: boolean;
}

export const askedOf = async (api: TestApi, paymentId: number): Promise<AskedRow> =>
  (
    await api.database.pool.query<AskedRow>(
      `SELECT d.due_at IS NOT NULL AS asked, extract(epoch FROM d.due_at - a.looked_up_at)::float8 * 1000 AS wait_ms,
         coalesce(d.due_at <= clock_timestamp(), false) AS is_due
       FROM payment_attempts a LEFT JOIN due_work d ON d.kind = 'look_up' AND d.subject_id = a.payment_id AND d.part = a.number
       WHERE a.payment_id = $1 ORDER BY a.number DESC LIMIT 1`,
      [paymentId],
    )
  ).rows[0]!;

/** Lets the time to the next look-ups pass. */
export const passTime = (api: TestApi): Promise<unknown> =>
  api.database.pool.query(
    `WITH waiting AS (SELECT * FROM due_work WHERE kind = 'look_up' AND due_at > clock_timestamp()), passed AS (
       UPDATE due_work d SET due_at = clock_timestamp() - interval '1 ms' FROM waiting w
       WHERE d.kind = w.kind AND d.subject_id = w.subject_id AND d.part = w.part
     )
     UPDATE payment_attempts a SET looked_up_at = a.looked_up_at - (w.due_at - clock_timestamp()) - interval '1 ms'
     FROM waiting w WHERE a.payment_id = w.subject_id AND a.number = w.part`,
  );
