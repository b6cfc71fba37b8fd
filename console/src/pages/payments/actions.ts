import type { Schema } from '@payment-orchestrator/client';
import { difference } from '../../ui/amount';

type Payment = Schema<'Payment'>;
type Operation = Schema<'PaymentOperation'>;

export const ACTIONS = ['capture', 'cancel', 'refund', 'sync'] as const;
export type ActionName = (typeof ACTIONS)[number];

export const ACTION_LABELS: Record<ActionName, string> = {
  capture: 'Capture',
  cancel: 'Cancel',
  refund: 'Refund',
  sync: 'Sync',
};

export const isOpen = ({ state }: Operation): boolean => state !== 'confirmed' && state !== 'refused';

const isRunning = (operations: Operation[], kind: Operation['kind']): boolean =>
  operations.some((operation) => operation.kind === kind && isOpen(operation));

/** The amount that can still be refunded. */
export const amountLeft = ({ amount_captured: captured, amount_refunded: refunded, currency }: Payment): number =>
  difference(captured, refunded, currency);

/** The reason why the action is not possible now; `undefined` if it is possible. */
export function obstacle(action: ActionName, payment: Payment, operations: Operation[]): string | undefined {
  const running = (kind: Operation['kind']): string | undefined =>
    isRunning(operations, kind)
      ? `${ACTION_LABELS[action]}: a ${kind} is already running. Use Sync to ask the provider about it.`
      : undefined;
  switch (action) {
    case 'sync':
      return operations.some(isOpen) ? undefined : 'Sync: no operation is open at the provider.';
    case 'cancel':
      return running('void') ?? cancelObstacle(payment);
    case 'capture':
      return running('capture') ?? running('void') ?? captureObstacle(payment);
    case 'refund':
      return refundObstacle(payment);
  }
}

function cancelObstacle({ status }: Payment): string | undefined {
  if (status === 'pending' || status === 'processing') return undefined;
  return `Cancel: only pending and processing payments can be cancelled. This payment is ${status}.`;
}

function captureObstacle({ status, capture, amount_authorized: authorized }: Payment): string | undefined {
  if (capture !== 'manual') return 'Capture: the amount was to be captured at once, not later.';
  if (status === 'processing' && authorized > 0) return undefined;
  return `Capture: only authorised payments can be captured. This payment is ${status}.`;
}

function refundObstacle(payment: Payment): string | undefined {
  const { status } = payment;
  if (status !== 'completed') return `Refund: only completed payments can be refunded. This payment is ${status}.`;
  return amountLeft(payment) > 0 ? undefined : 'Refund: all that was captured is refunded, or is being refunded.';
}

export const providerOf = ({ payment_provider: provider, shop }: Payment): string => `${provider} (${shop.name})`;

/** The receivers of the change's webhook, as a sentence. */
export const webhookSentence = ({ webhook_endpoint: address }: Payment): string =>
  `A webhook is sent to ${address === null ? '' : `${address} and to `}the standing endpoints that take this event.`;

/** The effects of the action, in sentences. */
export function consequences(action: 'cancel' | 'sync', payment: Payment): string[] {
  const provider = providerOf(payment);
  if (action === 'sync')
    return [
      `The service asks ${provider} about all open operations of this payment. It does not charge or refund anything.`,
      'The payment is updated with the provider’s answer.',
    ];
  if (payment.status === 'pending')
    return [
      'The payment becomes cancelled immediately. This cannot be undone.',
      `The service repeats a void at ${provider} until it is confirmed. This returns any charge that exists there.`,
      webhookSentence(payment),
    ];
  return [
    `The service asks ${provider} to void the payment.`,
    'The payment becomes cancelled when the provider confirms. If the provider refuses, it does not change. This cannot be undone.',
    webhookSentence(payment),
  ];
}

/** The status that the action leads to. */
const AIMS = { capture: 'completed', cancel: 'cancelled' } as const;

/** The result of the action, in a sentence. `before` may already be the status after a first request without an answer. */
export function resultOf(
  action: 'capture' | 'cancel' | 'sync',
  before: Payment['status'],
  after: Payment['status'],
): string {
  if (action === 'sync' && after === before) return `The provider has answered. The payment is still ${after}.`;
  return action === 'sync' || after === AIMS[action]
    ? `The payment is now ${after}.`
    : `The provider has the request and reports the outcome later. Until then the payment remains ${after}.`;
}
