import type { Transaction } from '../../platform/database/database.js';
import type { Effect } from '../money/state/effect.js';
import type { PaymentRow } from '../money/state/payment.js';
import type { MoneyOperation, MoneyState } from '../money/state/state.js';

/** The effect of this name. */
export type Of<Name extends Effect['do']> = Effect & { do: Name };

/** A row was claimed since it was read: the decision is made again. */
export class StaleMoney extends Error {}

/** The rows as they are while the effects of one decision are written. */
export class Writing {
  payment: PaymentRow;
  /** Ids that the database gave to the rows that the decision has opened. */
  private readonly ids = new Map<number, number>();
  private readonly keys = new Map<number, string>();

  constructor(
    readonly transaction: Transaction,
    public state: MoneyState,
  ) {
    this.payment = state.payment;
  }

  idOf(id: number): number {
    return this.ids.get(id) ?? id;
  }

  operation(id: number): MoneyOperation {
    return this.state.operations.find((row) => row.id === id)!;
  }

  /** The provider of an attempt. */
  providerOf(attempt: number): string {
    return this.state.attempts.find(({ number }) => number === attempt)?.provider ?? this.payment.payment_provider;
  }

  keyOf(id: number): string {
    return this.keys.get(id) ?? this.operation(id).idempotency_key;
  }

  named(id: number, given: number, key?: string): void {
    this.ids.set(id, given);
    if (key !== undefined) this.keys.set(id, key);
  }

  renewed(id: number, key: string): void {
    this.keys.set(id, key);
  }
}
