import { type StoredAction, type StoredPayment, tokenOf } from './checkout-objects.js';

interface Outcome {
  code?: string;
  isPending?: true;
  /** The kind of action that is declined later. */
  fails?: StoredAction['type'];
}

/** Outcomes by token, in place of the cards of the sandbox. */
const TOKENS: Readonly<Record<string, Outcome>> = {
  [tokenOf('approved')]: {},
  [tokenOf('lostcard')]: { code: '30041' },
  [tokenOf('donothonour')]: { code: '20005' },
  [tokenOf('slow')]: { isPending: true },
  // needs 3-D Secure
  [tokenOf('threeds')]: { isPending: true },
  [tokenOf('capturefails')]: { fails: 'Capture' },
  [tokenOf('refundfails')]: { fails: 'Refund' },
  [tokenOf('voidfails')]: { fails: 'Void' },
};

export type Given = Partial<StoredPayment> & {
  source?: { type?: string; token?: string; id?: string; store_for_future_use?: boolean };
  '3ds'?: { enabled?: boolean };
};

/** The outcome of a charge, or the code with which it is refused. */
export function outcomeOf(
  { source, amount = 0, currency = '' }: Given,
  instruments: ReadonlySet<string>,
): Outcome | { refused: string } {
  if (!source?.type) return { refused: 'payment_source_required' };
  if (!Number.isInteger(amount) || amount < 1 || amount > 999_999_999) return { refused: 'amount_invalid' };
  if (!/^[A-Z]{3}$/.test(currency)) return { refused: 'currency_invalid' };
  if (source.type === 'id') return instruments.has(source.id ?? '') ? {} : { refused: 'source_invalid' };
  return TOKENS[source.token ?? ''] ?? { refused: 'token_invalid' };
}
