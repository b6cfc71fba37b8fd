import { hash } from 'node:crypto';
import type { Random } from '../../shared/random.js';
import type { ChargeRequest } from '../payment-provider.js';
import { amountIn, exactAmount } from './sandbox-answers.js';
import { choosesTransactionIds, notificationSecret } from './sandbox-credentials.js';
import { notificationOf } from './sandbox-notification-body.js';
import { accountOf } from './sandbox-signature.js';
import type { SandboxScenario } from './sandbox-token.js';
import type { NewSandboxNotification, NewSandboxTransaction } from './sandbox-transactions.queries.js';

/** Duration of the sandbox's own changes; their notifications are due then. */
export const SETTLES_IN_MS = 400;

/** Outcomes that the sandbox records. */
type WrittenOutcome = NewSandboxTransaction['outcome'];
export type WrittenScenario = SandboxScenario & { outcome: WrittenOutcome };

export const isWritten = (scenario: SandboxScenario): scenario is WrittenScenario =>
  scenario.outcome !== 'silence' && scenario.outcome !== 'unavailable';

/** The provider's own id, or ours, or one derived from the reference. */
export function transactionIdFor(
  { reference, transactionId, credentials }: Pick<ChargeRequest, 'reference' | 'transactionId' | 'credentials'>,
  random: Random,
): string {
  if (choosesTransactionIds(credentials)) return `sbx_${random.uuid()}`;
  return transactionId ?? `sbx_${reference}`;
}

/** The row of a new charge. `address`: the address of this API. */
export function newTransaction(
  request: ChargeRequest,
  scenario: WrittenScenario,
  random: Random,
  address: { readonly url: string },
): NewSandboxTransaction {
  const secret = notificationSecret(request.credentials);
  const { settlesAs = null, asksPayer = false, settledByHand = false, refunds = 'confirmed' } = scenario;
  const page = asksPayer ? random.uuid() : null;
  const transaction: NewSandboxTransaction = {
    reference: request.reference,
    transaction_id: transactionIdFor(request, random),
    payment_id: request.paymentId,
    shop_id: request.shopId,
    status: statusAfter(scenario),
    settles_as: settlesAs,
    settles_in_ms: settlesAs && SETTLES_IN_MS,
    amount: amountIn(request.currency, request.amount),
    currency: request.currency,
    idempotency_key: request.idempotencyKey,
    fingerprint: chargeFingerprint(request),
    outcome: scenario.outcome,
    decline_code: scenario.declineCode ?? null,
    refunds,
    page,
    page_url: page && `${address.url}/providers/sandbox/pages/${page}`,
    return_url: (asksPayer && request.returnUrl) || null,
    settled_by: settledByHand && secret !== undefined ? accountOf(secret) : null,
    notifications: [],
  };
  const notifications = notificationsOf(transaction, scenario, request, random);
  return { ...transaction, notifications: notifications.filter((notification) => notification !== undefined) };
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
    request.paymentMethodToken ?? null,
  );

const statusAfter = ({ outcome }: WrittenScenario): NewSandboxTransaction['status'] =>
  outcome === 'approved' ? 'captured' : outcome === 'processing' ? 'open' : 'declined';

/** The signed notifications, one for each choice of the payer. */
function notificationsOf(
  transaction: NewSandboxTransaction,
  { settlesAs, notifiesFirst, asksPayer }: SandboxScenario,
  { credentials }: ChargeRequest,
  random: Random,
): (NewSandboxNotification | undefined)[] {
  const notification = (
    status: 'completed' | 'failed',
    due: number | null,
    choice: NewSandboxNotification['choice'] = null,
  ) => notificationOf(transaction, status, credentials, random.uuid(), { due_in_ms: due, choice });
  if (asksPayer) return [notification('completed', null, 'approve'), notification('failed', null, 'decline')];
  if (notifiesFirst) return [notification('completed', 0)];
  if (settlesAs) return [notification(settlesAs === 'captured' ? 'completed' : 'failed', SETTLES_IN_MS)];
  return [];
}

/** Represents a request under an idempotency key. A payment method's token cannot be read from it. */
export const fingerprintOf = (...parts: (string | number | null)[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url');
