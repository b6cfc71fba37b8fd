import {
  type BookAnswer,
  capturedBook,
  type ChargeBook,
  heldIn,
  idOf,
  refundedBook,
  voidedBook,
} from './charge-book.js';

/** A call for a void, a capture or a refund as it arrives at the provider. */
export interface ArrivingCall {
  name: string;
  kind: 'void' | 'capture' | 'refund';
  amount: number;
  /** A reversal refunds the rest of a charge. */
  isRest: boolean;
}

/** Fates of a call at the provider; the first is the usual. `declined`: it refuses what it could do. */
export const FATES = ['done', 'accepted', 'declined'] as const;
export type Fate = (typeof FATES)[number];

/** The provider's book after a call. A key that it knows changes nothing. `null`: the fate is not possible. */
export function called(book: ChargeBook, call: ArrivingCall, fate: Fate): ChargeBook | null {
  if (book.answers[call.name]) return fate === 'done' ? book : null;
  // a void of an unknown charge is a promise that nothing will be charged
  if (call.kind === 'void' && book.status === 'none' && fate !== 'done') return null;
  if (!isPossible(book, call)) return fate === 'done' ? answered(book, call, 'refused') : null;
  if (fate === 'declined') return answered(book, call, 'refused');
  if (fate === 'accepted') return accepted(book, call);
  return answered(done(book, call), call, 'confirmed');
}

function isPossible(book: ChargeBook, { kind, amount, isRest }: ArrivingCall): boolean {
  if (kind === 'capture') return book.status === 'authorized' && book.accepted === null;
  if (kind === 'refund') return book.status === 'captured' && heldIn(book) > 0 && (isRest || amount <= heldIn(book));
  if (book.accepted !== null) return false;
  return book.status === 'none' || book.status === 'processing' || book.status === 'authorized';
}

function done(book: ChargeBook, call: ArrivingCall): ChargeBook {
  const { name, kind, amount } = call;
  if (kind === 'capture') return capturedBook(book, amount, name);
  if (kind === 'refund') return refundedBook(book, { call: name, amount: refundedBy(book, call), status: 'succeeded' });
  // a charge that arrives after it is refused
  return book.status === 'none' ? { ...book, status: 'voided' } : voidedBook(book, 'cancelled');
}

function accepted(book: ChargeBook, call: ArrivingCall): ChargeBook | null {
  const { name, kind, amount } = call;
  const after =
    kind === 'refund'
      ? refundedBook(book, { call: name, amount: refundedBy(book, call), status: 'pending' })
      : { ...book, accepted: { kind, call: name, amount } };
  return answered(after, call, 'pending');
}

const refundedBy = (book: ChargeBook, { amount, isRest }: ArrivingCall): number => (isRest ? heldIn(book) : amount);

const answered = (book: ChargeBook, { name }: ArrivingCall, outcome: BookAnswer['outcome']): ChargeBook => ({
  ...book,
  answers: { ...book.answers, [name]: { outcome, operationId: outcome === 'refused' ? null : idOf(name) } },
});
