import { WaitingNotificationsJob } from '../../../src/payments/notifications/waiting-notifications.job.js';
import { PaymentsService } from '../../../src/payments/store/payments.service.js';
import { MoneyService } from '../../../src/payments/store/money.service.js';
import { Database } from '../../../src/platform/database/database.js';
import type { IncomingNotification, ParsedNotification, ProviderEvent } from '@payment-orchestrator/provider-kit';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import { SystemClock } from '../../../src/shared/clock.js';
import type { TestApi } from '../../support/app/api-app.js';
import { doDueWork } from '../../support/app/due-work.js';
import type { ApiResponse } from '../../support/app/api-client.js';
import type { Merchant } from '../../support/app/merchant.js';

export type TestEvent = Pick<ProviderEvent, 'status' | 'match'> & Partial<ProviderEvent>;

let ids = 0;

/** Replaces the sandbox's parser, so that a test can send any event without a signature. */
export function scriptNotifications(api: TestApi): () => void {
  const sandbox = api.get(SandboxProvider) as unknown as Record<string, unknown>;
  sandbox['parseNotification'] = ({ rawBody }: IncomingNotification) =>
    Promise.resolve(JSON.parse(rawBody.toString(), timesRevived) as ParsedNotification);
  return () => Reflect.deleteProperty(sandbox, 'parseNotification');
}

const TIMES = new Set(['occurredAt', 'captureBefore', 'evidenceDueBy', 'openedAt']);
const timesRevived = (name: string, value: unknown): unknown =>
  TIMES.has(name) && typeof value === 'string' ? new Date(value) : value;

export const anEvent = (event: TestEvent): ProviderEvent => ({ id: `evt_${(ids += 1)}`, data: {}, ...event });

export function sendEvents(
  merchant: Merchant,
  shopId: number,
  events: TestEvent[],
  acknowledge?: ParsedNotification['acknowledge'],
): Promise<ApiResponse> {
  const body = { events: events.map(anEvent), ...(acknowledge && { acknowledge }) };
  return merchant.api.post(`/providers/sandbox/notifications/${shopId}`, JSON.stringify(body));
}

/** Runs the worker's check of waiting notifications, all of them due now. */
export async function checkWaiting(api: TestApi): Promise<void> {
  await api.database.pool.query(`UPDATE due_work SET due_at = now() - interval '1 s' WHERE kind = 'notification'`);
  const job = new WaitingNotificationsJob(
    api.get(Database),
    api.get(PaymentsService),
    api.get(MoneyService),
    new SystemClock(),
  );
  await doDueWork(api, job.work);
}

export interface StoredNotification {
  status: string;
  outcome: string;
  reason: string | null;
  payment_id: number | null;
}

export const storedOf = async (api: TestApi, shopId: number): Promise<StoredNotification[]> =>
  (
    await api.database.pool.query<StoredNotification>(
      'SELECT status, outcome, reason, payment_id FROM provider_notifications WHERE shop_id = $1 ORDER BY id',
      [shopId],
    )
  ).rows;
