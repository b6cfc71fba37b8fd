import { AskedLookUps } from '../../../src/payments/notifications/asked-look-ups.job.js';
import { AskedStates } from '../../../src/payments/notifications/asked-states.service.js';
import { OperationClaims } from '../../../src/payments/operations/operation-claims.service.js';
import { PaymentsService } from '../../../src/payments/ledger/payments.service.js';
import { MoneyService } from '../../../src/payments/store/money.service.js';
import { ProviderCallsService } from '../../../src/payments/operations/provider-calls.service.js';
import { Database } from '../../../src/platform/database/database.js';
import type { TestApi } from '../../support/app/api-app.js';
import type { ApiResponse } from '../../support/app/api-client.js';
import type { Merchant } from '../../support/app/merchant.js';

/** A worker's look-ups next to the API, which only run when the test calls them. */
export const aLookUps = (api: TestApi): AskedLookUps =>
  new AskedLookUps(
    api.get(Database),
    api.get(OperationClaims),
    api.get(ProviderCallsService),
    new AskedStates(api.get(Database), api.get(PaymentsService), api.get(MoneyService)),
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
      `SELECT look_up_at IS NOT NULL AS asked, extract(epoch FROM look_up_at - looked_up_at)::float8 * 1000 AS wait_ms,
         coalesce(look_up_at <= clock_timestamp(), false) AS is_due
       FROM payment_attempts WHERE payment_id = $1 ORDER BY number DESC LIMIT 1`,
      [paymentId],
    )
  ).rows[0]!;

/** Lets the time to the next look-ups pass. */
export const passTime = (api: TestApi): Promise<unknown> =>
  api.database.pool.query(
    `UPDATE payment_attempts SET looked_up_at = looked_up_at - (look_up_at - clock_timestamp()) - interval '1 ms',
       look_up_at = clock_timestamp() - interval '1 ms'
     WHERE look_up_at > clock_timestamp()`,
  );
