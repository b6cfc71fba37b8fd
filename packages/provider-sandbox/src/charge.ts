import { hash } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { type ChargeRequest, type ConnectorContext, currencyDigits } from '@payment-orchestrator/provider-kit';
import { amountIn, exactAmount } from './answers.js';
import { choosesTransactionIds, notificationSecret } from './credentials.js';
import { notificationOf } from './notification-body.js';
import { orderedUuid } from './ordered-uuid.js';
import { accountOf } from './signature.js';
import type { SandboxScenario } from './token.js';
import type { NewSandboxNotification, NewSandboxTransaction } from './transactions.queries.js';

/** Duration of the sandbox's own changes; their notifications are due then. */
export const SETTLES_IN_MS = 400;

/** Duration of an authorisation. */
const AUTHORIZATION_MS = 7 * 86_400_000;

/** Outcomes that the sandbox records. */
type WrittenOutcome = Exclude<NewSandboxTransaction['outcome'], 'authorized'>;
export type WrittenScenario = SandboxScenario & { outcome: WrittenOutcome };

export const isWritten = (scenario: SandboxScenario): scenario is WrittenScenario =>
  scenario.outcome !== 'silence' && scenario.outcome !== 'unavailable';

/** The provider's own id, or ours, or one derived from the reference. */
export function transactionIdFor(
  { reference, transactionId, credentials }: Pick<ChargeRequest, 'reference' | 'transactionId' | 'credentials'>,
  context: ConnectorContext,
): string {
  if (choosesTransactionIds(credentials)) return `sbx_${orderedUuid(context)}`;
  return transactionId ?? `sbx_${reference}`;
}

/** The outcome of a charge, and the end of its authorisation. */
export function outcomeOf(
  { capture }: Pick<ChargeRequest, 'capture'>,
  { outcome, lapsesInMs = AUTHORIZATION_MS }: WrittenScenario,
  now: Date,
): Pick<NewSandboxTransaction, 'outcome' | 'capture_before'> {
  if (capture === 'automatic') return { outcome, capture_before: null };
  const captureBefore = new Date(now.getTime() + lapsesInMs);
  return { outcome: outcome === 'approved' ? 'authorized' : outcome, capture_before: captureBefore };
}

/** The row of a new charge. `url`: the address of the service. */
export function newTransaction(
  request: ChargeRequest,
  scenario: WrittenScenario,
  context: ConnectorContext,
  url: string,
): NewSandboxTransaction {
  const secret = notificationSecret(request.credentials);
  const isManual = request.capture === 'manual';
  const authorizesLater = isManual && scenario.settlesAs === 'captured';
  const { outcome, capture_before: captureBefore } = outcomeOf(request, scenario, context.clock.now());
  const capturesInMs = isManual ? undefined : scenario.capturesInMs;
  const settlesAs = authorizesLater ? null : capturesInMs ? 'captured' : (scenario.settlesAs ?? null);
  const { asksPayer, settledByHand = false, refunds = 'confirmed' } = scenario;
  const page = asksPayer ? context.random.uuid() : null;
  const transaction: NewSandboxTransaction = {
    reference: request.reference,
    transaction_id: transactionIdFor(request, context),
    payment_id: request.paymentId,
    shop_id: request.shopId,
    // an authorisation that waits for its capture is stored as open
    status: capturesInMs ? 'open' : statusAfter(outcome),
    settles_as: settlesAs,
    settles_in_ms: settlesAs && (capturesInMs ?? SETTLES_IN_MS),
    authorized_in_ms: outcome === 'authorized' || capturesInMs ? 0 : authorizesLater ? SETTLES_IN_MS : null,
    capture_before: captureBefore,
    captures: scenario.captures ?? null,
    fails: scenario.fails ?? null,
    refuses_voids: scenario.refusesVoids ?? false,
    amount: chargedAmount(request, scenario),
    currency: request.currency,
    idempotency_key: request.idempotencyKey,
    fingerprint: chargeFingerprint(request),
    outcome,
    decline_code: scenario.declineCode ?? null,
    refunds,
    page,
    page_url: page && asksPayer === 'redirect' ? `${url}/providers/sandbox/pages/${page}` : null,
    return_url: (asksPayer === 'redirect' && request.returnUrl) || null,
    settled_by: settledByHand && secret !== undefined ? accountOf(secret) : null,
    notifications: [],
  };
  const notifications = notificationsOf(transaction, scenario, request, context);
  return { ...transaction, notifications: notifications.filter((notification) => notification !== undefined) };
}

/** The requested amount; with `chargesMore` it does not agree with the payment's. */
function chargedAmount({ amount, currency }: ChargeRequest, { chargesMore }: SandboxScenario): string {
  const unit = new Decimal(10).pow(-(currencyDigits(currency) ?? 0));
  return amountIn(currency, chargesMore ? new Decimal(amount).plus(unit).toFixed() : amount);
}

/** The fields that move money. Other fields of a repeated charge may have changed, for example after an erasure. */
const chargeFingerprint = (request: ChargeRequest): string =>
  fingerprintOf(
    'charge',
    request.shopId,
    request.paymentId,
    request.reference,
    exactAmount(request.amount),
    request.currency,
    request.paymentMethod?.token ?? null,
    ...(request.capture === 'manual' ? ['manual'] : []),
  );

const statusAfter = (outcome: NewSandboxTransaction['outcome']): NewSandboxTransaction['status'] =>
  outcome === 'approved' ? 'captured' : outcome === 'processing' || outcome === 'authorized' ? 'open' : 'declined';

/** The signed notifications, one for each choice of the payer. */
function notificationsOf(
  transaction: NewSandboxTransaction,
  { settlesAs, notifiesFirst, asksPayer, capturesInMs, lapsesInMs = AUTHORIZATION_MS }: SandboxScenario,
  { credentials, capture }: ChargeRequest,
  context: ConnectorContext,
): (NewSandboxNotification | undefined)[] {
  const notification = (
    status: 'completed' | 'authorized' | 'authorization_expired' | 'failed',
    due: number | null,
    choice: NewSandboxNotification['choice'] = null,
  ) => notificationOf(transaction, status, credentials, orderedUuid(context), { due_in_ms: due, choice });
  const charged = capture === 'manual' ? 'authorized' : 'completed';
  if (capturesInMs && capture !== 'manual') return [notification('completed', capturesInMs)];
  const isHeld = transaction.authorized_in_ms !== null;
  const lapse = isHeld ? [notification('authorization_expired', lapsesInMs)] : [];
  if (asksPayer) return [notification(charged, null, 'approve'), notification('failed', null, 'decline')];
  if (notifiesFirst) return [notification(charged, 0), ...lapse];
  if (settlesAs) return [notification(settlesAs === 'captured' ? charged : 'failed', SETTLES_IN_MS), ...lapse];
  return lapse;
}

/** Represents a request under an idempotency key. A payment method's token cannot be read from it. */
export const fingerprintOf = (...parts: (string | number | null)[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url');
