import type { Fact } from '../../../src/payments/money/state/fact.js';
import type { MoneyOperation, MoneyState } from '../../../src/payments/money/state/state.js';
import type { ChargeBook } from './charge-book.js';
import type { ArrivingCall } from './provider-calls.js';

/**
 * How a provider tells. `full`: with ids and amounts. `bare`: without them, and it captures and refunds in full only. `unnamed`: full, but
 * without our reference, so that a report may come before the transaction id is known.
 */
export type Style = 'full' | 'bare' | 'unnamed';

/** A payment as the service knows it, and as its providers do. Never changed, only replaced. */
export interface Scenario {
  style: Style;
  /** The payer disputes the charge. */
  isDisputed: boolean;
  state: MoneyState;
  /** By attempt, from 1. */
  books: readonly ChargeBook[];
  /** The time in which the charge's answer may come is over. */
  isLeaseOver: boolean;
  /** Something happened that a person must look at. */
  isOdd: boolean;
  /** Requests of clients so far: few are enough. */
  requests: number;
}

/** One thing that may happen. */
export interface Step {
  name: string;
  /** The fact that was decided; absent: something happened at a provider only. */
  fact?: Fact;
  to: Scenario;
}

/** The name of an operation's present key: its place among the operations, and how often its key was replaced. */
export function callName({ operations }: MoneyState, { id, idempotency_key: key }: MoneyOperation): string {
  const place = operations.findIndex((row) => row.id === id);
  return `${place}${"'".repeat(key.split('replaced').length - 1)}`;
}

/** The call of an operation that is not a charge. */
export const arriving = (state: MoneyState, row: MoneyOperation): ArrivingCall => ({
  name: callName(state, row),
  kind: row.kind as ArrivingCall['kind'],
  amount: Number(row.amount),
  isRest: row.cause === 'charged_after_end',
});

export const bookOf = ({ books }: Scenario, attempt: number): ChargeBook => books[attempt - 1]!;

export const withBook = (scenario: Scenario, book: ChargeBook): Scenario => ({
  ...scenario,
  books: scenario.books.map((each) => (each.attempt === book.attempt ? book : each)),
});
