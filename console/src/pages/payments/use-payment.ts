import type { Schema } from '@payment-orchestrator/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useCan } from '../../api/session';
import { useLiveRefresh } from '../../api/use-live-refresh';
import type { Story } from './timeline';

/** One payment has only a few events, so a short pause is enough. */
const PAUSE_MS = 1_000;
/** Limit of the notifications and deliveries that are read, per shop of the attempts. */
const MOST = 100;

export interface PaymentStory extends Story {
  decision: Schema<'PaymentDecision'> | null;
  /** Whether there are more notifications or deliveries than are shown. */
  isCut: boolean;
}

/** Reads one payment and its history, again when it changes. */
export function usePayment(id: number) {
  const client = useQueryClient();
  const mayReadWebhooks = useCan('webhooks:read');
  const key = ['/payments/{id}', id];
  useLiveRefresh(key, { pauseMs: PAUSE_MS, concerns: ({ payment_id: paymentId }) => paymentId === id });
  const payment = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await api.get('/payments/{id}', { params: { path: { id } }, signal })).data,
  });
  const story = useQuery({
    queryKey: [...key, 'story', mayReadWebhooks],
    queryFn: ({ signal }) => readStory(id, mayReadWebhooks, signal),
    enabled: payment.isSuccess,
  });
  const changed = (now: Schema<'Payment'>): void => {
    client.setQueryData(key, now);
    void client.invalidateQueries({ queryKey: key });
  };
  return { payment, story, changed };
}

async function readStory(id: number, mayReadWebhooks: boolean, signal: AbortSignal): Promise<PaymentStory> {
  const options = { params: { path: { id } }, signal };
  const [history, attempts, operations, decision] = await Promise.all([
    api.get('/payments/{id}/history', options),
    api.get('/payments/{id}/attempts', options),
    api.get('/payments/{id}/operations', options),
    api.get('/payments/{id}/decision', options),
  ]);
  // the API lists notifications and deliveries by shop
  const shopIds = [...new Set(attempts.data.map(({ shop }) => shop.id))];
  const query = { payment_id: id, limit: MOST };
  const [notifications, deliveries] = await Promise.all([
    Promise.all(
      shopIds.map((shopId) =>
        api.get('/providers/notifications', { params: { query: { ...query, shop_id: shopId } }, signal }),
      ),
    ),
    Promise.all(
      (mayReadWebhooks ? shopIds : []).map((shopId) =>
        api.get('/webhooks/shop/{shopId}/deliveries', { params: { path: { shopId }, query }, signal }),
      ),
    ),
  ]);
  return {
    history: history.data,
    attempts: attempts.data,
    operations: operations.data,
    decision: decision.data,
    notifications: notifications.flatMap(({ data }) => data),
    deliveries: deliveries.flatMap(({ data }) => data),
    isCut: [...notifications, ...deliveries].some(({ pagination }) => pagination.next_cursor !== null),
  };
}
