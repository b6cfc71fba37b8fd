import { eventually } from '../eventually.js';
import type { Receiver } from '../servers/receiver.js';

interface Webhook {
  payment: { id: number; status: string };
}

const STATUSES = ['processing', 'completed'];

/** Resolves when the receiver has the webhooks `processing` and `completed` of each of these payments. */
export const expectStatuses = (receiver: Receiver, paymentIds: number[]): Promise<void> =>
  eventually(() => {
    const received = new Map<number, Set<string>>();
    for (const request of receiver.requests) {
      const { id, status } = request.json<Webhook>().payment;
      received.set(id, (received.get(id) ?? new Set()).add(status));
    }
    const missing = paymentIds.filter((id) => !STATUSES.every((status) => received.get(id)?.has(status)));
    if (missing.length > 0) throw new Error(`no webhooks of payments ${missing.join(', ')}`);
  });
