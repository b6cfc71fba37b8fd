import { ProblemError, type Schema } from '@payment-orchestrator/client';
import { amountProblem } from '../../../ui/amount';

type Operation = Schema<'PaymentOperation'>;
export type Outcome = Schema<'SettleOutcome'>;

/** The facts that a person has found at the provider, as the texts of the fields. */
export interface Found {
  outcome: Outcome | '';
  amount: string;
  providerId: string;
  reason: string;
}

const NOTHING_FOUND: Found = { outcome: '', amount: '', providerId: '', reason: '' };

/** The provider's last answers that say an outcome. After the others, such as `no_answer`, it is unknown. */
const OUTCOME_OF: Record<string, Outcome> = { approved: 'captured', captured: 'captured' };

/** The start of the fields: the provider's last word about the operation, or the amount that it reported. A person checks them. */
export function foundSoFar(operation: Operation): Found {
  const { kind, currency, reason, last_answer: answer } = operation;
  const [, amount, reported] = /^amount_mismatch: the provider reports (\S+) ([A-Z]{3})$/.exec(reason ?? '') ?? [];
  const outcome = kind === 'refund' ? undefined : amount === undefined ? OUTCOME_OF[answer ?? ''] : 'captured';
  const id = kind === 'charge' ? operation.provider_transaction_id : operation.provider_operation_id;
  return {
    ...NOTHING_FOUND,
    ...(outcome && { outcome }),
    ...(amount !== undefined && reported === currency && { amount }),
    providerId: id ?? '',
  };
}

/** Messages about invalid fields. */
export type Problems = Partial<Record<keyof Found, string>>;

const OF_A_CHARGE: readonly Outcome[] = ['captured', 'not_captured', 'voided', 'refunded'];

/** The outcomes that the operation can be settled with. The reversal of a late charge only ends as refunded. */
export function outcomesOf({ kind, cause }: Pick<Operation, 'kind' | 'cause'>): readonly Outcome[] {
  if (kind !== 'refund') return OF_A_CHARGE;
  return cause === 'charged_after_end' ? ['refunded'] : ['refunded', 'not_refunded'];
}

export const OUTCOMES: Record<Outcome, string> = {
  captured: 'the payer was charged',
  not_captured: 'this operation did not charge the payer',
  voided: 'nothing was charged, and nothing can be',
  refunded: 'the payer got the money back',
  not_refunded: 'the payer did not get this refund',
};

/** Whether the outcome takes an amount. A refund has its own. */
export const hasAmount = ({ kind }: Operation, outcome: Outcome | ''): boolean =>
  kind !== 'refund' && (outcome === 'captured' || outcome === 'refunded');

/** Why the amount is required, in the API's words: the provider had reported another one. `undefined`: it is optional. */
export const amountReason = ({ reason }: Operation, outcome: Outcome | ''): string | undefined =>
  outcome === 'captured' && reason?.startsWith('amount_mismatch') ? `is required, because of ${reason}` : undefined;

export function problemsOf(found: Found, operation: Operation): Problems {
  const { kind, currency } = operation;
  const { outcome, reason } = found;
  const text = found.amount.trim();
  const amount =
    text === '' ? amountReason(operation, outcome) : hasAmount(operation, outcome) && amountProblem(text, currency);
  return {
    ...(outcome === '' && { outcome: `must be one of ${outcomesOf(operation).join(', ')} for this ${kind}` }),
    ...(amount && { amount }),
    ...(reason.trim() === '' && { reason: 'must have at least 1 character' }),
  };
}

/** The body of the request, for fields without problems. */
export function settleRequest(found: Found, operation: Operation): Schema<'SettleOperation'> {
  const [amount, providerId] = [found.amount.trim(), found.providerId.trim()];
  return {
    outcome: found.outcome as Outcome,
    reason: found.reason.trim(),
    ...(amount !== '' && hasAmount(operation, found.outcome) && { amount: Number(amount) }),
    ...(providerId !== '' && { provider_transaction_id: providerId }),
  };
}

const CONFIRMABLE: readonly string[] = ['settle_contradicts_provider', 'settle_exceeds_operation'];

/** The facts that the request contradicts or exceeds; `undefined` for another error. */
export function contradictionOf(error: unknown): string | undefined {
  if (!(error instanceof ProblemError) || !CONFIRMABLE.includes(error.code)) return undefined;
  return (error.problem.detail ?? '').replace('the provider reports: ', '').replace(/; to settle [^;]+$/, '');
}

/** Why the request needs a confirmation, as a title. */
export const doubtOf = (error: unknown): string =>
  error instanceof ProblemError && error.code === 'settle_exceeds_operation'
    ? 'The amount is larger than the operation’s'
    : 'The provider reports another outcome';
