import type { Schema } from '@payment-orchestrator/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useLiveEvents } from '../../api/live-events';
import { useCan } from '../../api/session';
import type { Story } from './timeline';
import { useThrottle } from './use-throttle';

const REFRESH_MS = 500;
/** Where no events come by themselves. */
const POLL_MS = 10_000;
/** Notifications and deliveries of a payment, per shop that it was tried with. */
const MOST = 100;

export interface PaymentStory extends Story {
  decision: Schema<'PaymentDecision'> | null;
  /** There are more notifications or deliveries than are shown. */
  isCut: boolean;
}

/** One payment and all that happened to it, read again when it changes. */
export function usePayment(id: number) {
  const client = useQueryClient();
  const mayReadWebhooks = useCan('webhooks:read');
  const keys = { payment: ['/payments/{id}', id], story: ['/payments/{id}/story', id, mayReadWebhooks] };
  const refresh = (): void => {
    for (const queryKey of Object.values(keys)) void client.invalidateQueries({ queryKey });
  };
  const refreshSoon = useThrottle(refresh, REFRESH_MS);
  const { isOpen } = useLiveEvents(({ payment_id: paymentId }) => paymentId === id && refreshSoon());
  const refetchInterval = isOpen ? false : POLL_MS;
  const payment = useQuery({
    queryKey: keys.payment,
    queryFn: async ({ signal }) => (await api.get('/payments/{id}', { params: { path: { id } }, signal })).data,
    refetchInterval,
  });
  const story = useQuery({
    queryKey: keys.story,
    queryFn: ({ signal }) => readStory(id, mayReadWebhooks, signal),
    enabled: payment.isSuccess,
    refetchInterval,
  });
  const changed = (now: Schema<'Payment'>): void => {
    client.setQueryData(keys.payment, now);
    refresh();
  };
  return { payment, story, changed };
}

async function readStory(id: number, mayReadWebhooks: boolean, signal: AbortSignal): Promise<PaymentStory> {
  const of = { params: { path: { id } }, signal };
  const [history, attempts, operations, decision] = await Promise.all([
    api.get('/payments/{id}/history', of),
    api.get('/payments/{id}/attempts', of),
    api.get('/payments/{id}/operations', of),
    api.get('/payments/{id}/decision', of),
  ]);
  // what is about a payment is kept with the shop that it was at
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
