import { hash } from 'node:crypto';
import type { Random } from '../../shared/random.js';
import type { ChargeRequest } from '../payment-provider.js';
import { amountIn, exactAmount } from './sandbox-answers.js';
import { choosesTransactionIds, notificationSecret } from './sandbox-credentials.js';
import { notificationOf } from './sandbox-notification-body.js';
import { accountOf } from './sandbox-signature.js';
import type { SandboxScenario } from './sandbox-token.js';
import type { NewSandboxNotification, NewSandboxTransaction } from './sandbox-transactions.queries.js';

/** How long what the sandbox does on its own takes; its notification is due then. */
export const SETTLES_IN_MS = 400;

/** Outcomes that leave a trace at the sandbox. */
type WrittenOutcome = NewSandboxTransaction['outcome'];
export type WrittenScenario = SandboxScenario & { outcome: WrittenOutcome };

export const isWritten = (scenario: SandboxScenario): scenario is WrittenScenario =>
  scenario.outcome !== 'silence' && scenario.outcome !== 'unavailable';

/** The provider's own id, or ours, or one that goes with the reference. */
export function transactionIdFor(
  { reference, transactionId, credentials }: Pick<ChargeRequest, 'reference' | 'transactionId' | 'credentials'>,
  random: Random,
): string {
  if (choosesTransactionIds(credentials)) return `sbx_${random.uuid()}`;
  return transactionId ?? `sbx_${reference}`;
}

/** The row of a new charge. `address`: where this API is reached. */
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

/** What moves money: of a charge that comes again the rest may have changed, such as a customer who was erased. */
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

/** Signed already, those for both choices of the payer included. */
function notificationsOf(
  transaction: NewSandboxTransaction,
  { settlesAs, notifiesFirst, asksPayer }: SandboxScenario,
  { credentials }: ChargeRequest,
  random: Random,
): (NewSandboxNotification | undefined)[] {
  const told = (status: 'completed' | 'failed', due: number | null, choice: NewSandboxNotification['choice'] = null) =>
    notificationOf(transaction, status, credentials, random.uuid(), { due_in_ms: due, choice });
  if (asksPayer) return [told('completed', null, 'approve'), told('failed', null, 'decline')];
  if (notifiesFirst) return [told('completed', 0)];
  if (settlesAs) return [told(settlesAs === 'captured' ? 'completed' : 'failed', SETTLES_IN_MS)];
  return [];
}

/** Stands for what was asked for under an idempotency key. A payment method's token cannot be read from it. */
export const fingerprintOf = (...parts: (string | number | null)[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url');
