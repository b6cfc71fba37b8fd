import type { CaptureMode } from '@payment-orchestrator/routing/facts/capture-mode';
import { type MoneyState, newState } from '../../../src/payments/money/state/state.js';
import { attemptRow, NOW, operationRow, paymentRow } from './builders.js';
import { emptyBook } from './charge-book.js';
import type { Style, Scenario } from './scenario.js';

/** A payment whose charge is being called, at its first attempt or after a failover at its second. */
function chargingState(capture: CaptureMode, attempt: 1 | 2): MoneyState {
  const failed = { outcome: 'soft_declined', decline_code: 'issuer_unavailable' } as const;
  const now = attemptRow(attempt, { started_at: NOW });
  const attempts = attempt === 1 ? [now] : [attemptRow(1, failed), now];
  const operations = attempts.map(({ number, outcome }) =>
    operationRow({
      ...{ id: number, kind: 'charge', attempt: number },
      ...(outcome !== null && { state: 'refused', is_tried: false }),
    }),
  );
  const payment = paymentRow({ capture, attempt, payment_provider: `p${attempt}` });
  return { ...newState(payment), attempts, operations };
}

export interface Start {
  capture: CaptureMode;
  attempt: 1 | 2;
  style: Style;
  isDisputed?: boolean;
  /** Steps that have happened. */
  after?: readonly string[];
}

const COMPLETED = ['provider 1: the charge is captured', 'answer to charge 1: captured'];
const AUTHORIZED = ['provider 1: the charge is authorized', 'answer to charge 1: authorized'];

export const nameOf = ({ capture, attempt, style, isDisputed, after = [] }: Start): string =>
  [`${capture} at attempt ${attempt}`, style, ...(isDisputed ? ['disputed'] : []), ...after.slice(-1)].join(', ');

export const STARTS: readonly Start[] = [
  { capture: 'automatic', attempt: 1, style: 'full' },
  { capture: 'manual', attempt: 1, style: 'full' },
  { capture: 'automatic', attempt: 2, style: 'full' },
  { capture: 'manual', attempt: 2, style: 'full' },
  { capture: 'automatic', attempt: 1, style: 'bare' },
  { capture: 'manual', attempt: 1, style: 'bare' },
  { capture: 'manual', attempt: 1, style: 'unnamed' },
  { capture: 'automatic', attempt: 1, style: 'full', isDisputed: true, after: COMPLETED },
  { capture: 'manual', attempt: 1, style: 'full', after: [...AUTHORIZED, 'request: capture 60'] },
  { capture: 'automatic', attempt: 1, style: 'full', after: [...COMPLETED, 'request: refund the rest'] },
  {
    ...{ capture: 'automatic', attempt: 1, style: 'full' },
    after: [
      ...COMPLETED,
      'request: refund the rest',
      'call of refund 1 arrives: done',
      'answer to refund 1: confirmed',
    ],
  },
];

export function startOf({ capture, attempt, style, isDisputed = false }: Start): Scenario {
  const state = chargingState(capture, attempt);
  const books = state.attempts.map(({ number }) => emptyBook(number));
  return { style, isDisputed, state, books, isLeaseOver: false, isOdd: false, requests: 0 };
}
