import type { Schema } from '@payment-orchestrator/client';

type Payment = Schema<'Payment'>;
type Operation = Schema<'PaymentOperation'>;

export const ACTIONS = ['cancel', 'refund', 'sync'] as const;
export type ActionName = (typeof ACTIONS)[number];

export const ACTION_LABELS: Record<ActionName, string> = { cancel: 'Cancel', refund: 'Refund', sync: 'Sync' };

const isOpen = ({ state }: Operation): boolean => state !== 'confirmed' && state !== 'refused';

const isRunning = (operations: Operation[], kind: Operation['kind']): boolean =>
  operations.some((operation) => operation.kind === kind && isOpen(operation));

/** The reason why the action is not possible now; `undefined` if it is possible. */
export function obstacle(action: ActionName, { status }: Payment, operations: Operation[]): string | undefined {
  if (action === 'sync') return operations.some(isOpen) ? undefined : 'Sync: no operation is open at the provider.';
  const kind = action === 'cancel' ? 'void' : 'refund';
  if (isRunning(operations, kind))
    return `${ACTION_LABELS[action]}: a ${kind} is already running. Use Sync to ask the provider about it.`;
  if (action === 'cancel' && status !== 'pending' && status !== 'processing')
    return `Cancel: only pending and processing payments can be cancelled. This payment is ${status}.`;
  if (action === 'refund' && status !== 'completed')
    return `Refund: only completed payments can be refunded. This payment is ${status}.`;
  return undefined;
}

/** The effects of the action, in sentences. */
export function consequences(action: ActionName, payment: Payment, amount: string): string[] {
  const provider = `${payment.payment_provider} (${payment.shop.name})`;
  const webhook = payment.webhook_endpoint === null ? [] : [`A webhook is sent to ${payment.webhook_endpoint}.`];
  if (action === 'sync')
    return [
      `The service asks ${provider} about all open operations of this payment. It does not charge or refund anything.`,
      'The payment is updated with the provider’s answer.',
    ];
  if (action === 'refund')
    return [
      `The service asks ${provider} to refund the remaining amount of ${amount}.`,
      'The payment becomes refunded when the provider confirms. This cannot be undone.',
      ...webhook,
    ];
  if (payment.status === 'pending')
    return [
      'The payment becomes cancelled immediately. This cannot be undone.',
      `The service repeats a void at ${provider} until it is confirmed. This returns any charge that exists there.`,
      ...webhook,
    ];
  return [
    `The service asks ${provider} to void the payment.`,
    'The payment becomes cancelled when the provider confirms. If the provider refuses, it does not change. This cannot be undone.',
    ...webhook,
  ];
}

/** The result of the action, in a sentence. */
export function resultOf(action: ActionName, before: Payment['status'], after: Payment['status']): string {
  if (after !== before) return `The payment is now ${after}.`;
  return action === 'sync'
    ? `The provider has answered. The payment is still ${after}.`
    : `The provider has the request and reports the outcome later. Until then the payment remains ${after}.`;
}
