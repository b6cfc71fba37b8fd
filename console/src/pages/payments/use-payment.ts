import type { Schema } from '@payment-orchestrator/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useCan } from '../../api/session';
import { useLiveRefresh } from '../../api/use-live-refresh';
import type { Story } from './timeline/timeline';

/** One payment has only a few events, so a short pause is enough. */
const PAUSE_MS = 1_000;
/** Limit of the refunds and settlements that are read, and of the notifications and deliveries per shop of the attempts. */
const MOST = 100;

export interface PaymentStory extends Story {
  decision: Schema<'PaymentDecision'> | null;
  /** Whether there are more refunds, notifications or deliveries than are shown. */
  isCut: boolean;
}

/** Reads one payment and its history, again when it changes. */
export function usePayment(id: number) {
  const client = useQueryClient();
  const scopes = { webhooks: useCan('webhooks:read'), audit: useCan('audit:read') };
  const key = ['/payments/{id}', id];
  useLiveRefresh(key, { pauseMs: PAUSE_MS, concerns: ({ payment_id: paymentId }) => paymentId === id });
  const payment = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await api.get('/payments/{id}', { params: { path: { id } }, signal })).data,
  });
  const story = useQuery({
    queryKey: [...key, 'story', scopes],
    queryFn: ({ signal }) => readStory(id, scopes, signal),
    enabled: payment.isSuccess,
  });
  /** After a change here. `now`: the payment, if the answer has it. */
  const readAgain = (now?: Schema<'Payment'>): void => {
    if (now !== undefined) client.setQueryData(key, now);
    void client.invalidateQueries({ queryKey: key });
    void client.invalidateQueries({ queryKey: ['/payments/{id}/refunds', { id }] });
  };
  return { payment, story, readAgain };
}

interface Scopes {
  webhooks: boolean;
  audit: boolean;
}

async function readStory(id: number, scopes: Scopes, signal: AbortSignal): Promise<PaymentStory> {
  const options = { params: { path: { id } }, signal };
  const newest = { params: { path: { id }, query: { limit: MOST } }, signal };
  const [history, attempts, operations, decision, refunds, disputes, settlements] = await Promise.all([
    api.get('/payments/{id}/history', options),
    api.get('/payments/{id}/attempts', options),
    api.get('/payments/{id}/operations', options),
    api.get('/payments/{id}/decision', options),
    api.get('/payments/{id}/refunds', newest),
    api.get('/payments/{id}/disputes', options),
    scopes.audit ? readSettlements(id, signal) : null,
  ]);
  const messages = await readMessages(id, attempts.data, scopes, signal);
  return {
    history: history.data,
    attempts: attempts.data,
    operations: operations.data,
    decision: decision.data,
    refunds: refunds.data,
    disputes: disputes.data,
    settlements,
    ...messages,
    isCut: messages.isCut || refunds.pagination.has_more,
  };
}

/** Operations that a person has settled. */
async function readSettlements(id: number, signal: AbortSignal): Promise<Schema<'AuditEntry'>[]> {
  const query = { action: 'operation.settled', object_type: 'payment', object_id: String(id), limit: MOST } as const;
  return (await api.get('/audit', { params: { query }, signal })).data;
}

/** The API lists notifications and deliveries by shop. */
async function readMessages(
  id: number,
  attempts: Schema<'PaymentAttempt'>[],
  scopes: Scopes,
  signal: AbortSignal,
): Promise<Pick<PaymentStory, 'notifications' | 'deliveries' | 'isCut'>> {
  const shopIds = [...new Set(attempts.map(({ shop }) => shop.id))];
  const query = { payment_id: id, limit: MOST };
  const [notifications, deliveries] = await Promise.all([
    Promise.all(
      shopIds.map((shopId) =>
        api.get('/providers/notifications', { params: { query: { ...query, shop_id: shopId } }, signal }),
      ),
    ),
    Promise.all(
      (scopes.webhooks ? shopIds : []).map((shopId) =>
        api.get('/webhooks/shop/{shopId}/deliveries', { params: { path: { shopId }, query }, signal }),
      ),
    ),
  ]);
  return {
    notifications: notifications.flatMap(({ data }) => data),
    deliveries: deliveries.flatMap(({ data }) => data),
    isCut: [...notifications, ...deliveries].some(({ pagination }) => pagination.next_cursor !== null),
  };
}
