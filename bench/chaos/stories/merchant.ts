// The merchant of all stories: its client, its patience, and the promises of the API.
import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../../../src/shared/seeded-random.js';
import type { Answer, ApiClient } from '../client.js';
import type { ProviderBooks } from '../provider-books.js';
import type { ProviderSimulator } from '../provider-simulator.js';

const PATIENCE_MS = 60_000;

/** A promise of the API, by a 2xx answer. Amounts are in units of the currency. */
export type Promised =
  | { kind: 'created'; paymentId: number; reference: string; status: string }
  | { kind: 'cancelled' | 'refunded'; paymentId: number }
  | { kind: 'captured'; paymentId: number; amount: number }
  | { kind: 'refund'; paymentId: number; refundId: number; key: string; amount: number }
  | { kind: 'notified'; paymentId: number; notificationId: string }
  /** Reported by the provider, in any order: the dispute must get this status. */
  | { kind: 'disputed'; paymentId: number; disputeId: string; status: string };

/** A payment as the API answers it. */
export interface Payment {
  id: number;
  status: string;
  amount: number;
  amount_captured: number;
  provider_transaction_id: string;
  shop: { id: number };
  next_action: { url: string } | null;
}

interface ActOptions {
  json?: Record<string, unknown>;
  /** Longest pause before the call, in ms. */
  withinMs?: number;
}

export class Merchant {
  readonly promised: Promised[] = [];
  isOver = false;

  constructor(
    readonly client: ApiClient,
    readonly simulator: ProviderSimulator,
    readonly random: SeededRandom,
  ) {}

  get books(): ProviderBooks {
    return this.simulator.books;
  }

  pause(least: number, most: number): Promise<void> {
    return delay(this.random.integer(least, most), undefined, { ref: false });
  }

  /** Repeats the call until its status is one of `final` or the client's patience is over. */
  async retryUntil<A extends { status: number | null }>(
    send: () => Promise<A>,
    final: readonly number[],
  ): Promise<A | undefined> {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline && !this.isOver;) {
      const answer = await send();
      if (answer.status !== null && final.includes(answer.status)) return answer;
      await delay(300 + 700 * Math.random(), undefined, { ref: false });
    }
    return undefined;
  }

  /** Repeats a change at the provider until its database has answered. */
  async atProvider(change: () => Promise<boolean>): Promise<boolean> {
    const send = () =>
      change().then(
        (isDone) => ({ status: 200, isDone }),
        () => ({ status: null, isDone: false }),
      );
    return (await this.retryUntil(send, [200]))?.isDone ?? false;
  }

  /**
   * Requests a change of a payment, and repeats the request until it is answered. 409: another request was first, or
   * the provider has refused. A 200 may also mean that the outcome is still pending.
   */
  async act(
    { id }: Payment,
    action: 'cancel' | 'refund' | 'capture',
    { json = {}, withinMs = 2_000 }: ActOptions = {},
  ): Promise<Payment | undefined> {
    await this.pause(0, withinMs);
    const path = `/payments/${id}/${action}`;
    const send = (): Promise<Answer> => this.client.call(action, 'POST', path, { json, expected: [409] });
    const answer = await this.retryUntil(send, [200, 409]);
    return answer?.status === 200 ? (answer.body as { data: Payment }).data : undefined;
  }

  async cancel(payment: Payment): Promise<void> {
    const after = await this.act(payment, 'cancel');
    if (after?.status === 'cancelled') this.promised.push({ kind: 'cancelled', paymentId: payment.id });
  }

  async refundRest(payment: Payment): Promise<void> {
    const after = await this.act(payment, 'refund');
    if (after?.status === 'refunded') this.promised.push({ kind: 'refunded', paymentId: payment.id });
  }
}
