import { eventually } from '../eventually.js';
import type { Receiver } from '../servers/receiver.js';

interface Told {
  payment: { id: number; status: string };
}

const STATUSES = ['processing', 'completed'];

/** Resolves once the receiver has been told that each of these payments was processing, then completed. */
export const everyoneIsTold = (receiver: Receiver, paymentIds: number[]): Promise<void> =>
  eventually(() => {
    const told = new Map<number, Set<string>>();
    for (const request of receiver.requests) {
      const { id, status } = request.json<Told>().payment;
      told.set(id, (told.get(id) ?? new Set()).add(status));
    }
    const missing = paymentIds.filter((id) => !STATUSES.every((status) => told.get(id)?.has(status)));
    if (missing.length > 0) throw new Error(`not told of payments ${missing.join(', ')}`);
  });
