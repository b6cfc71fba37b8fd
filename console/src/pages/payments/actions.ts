import type { Schema } from '@payment-orchestrator/client';

type Payment = Schema<'Payment'>;
type Operation = Schema<'PaymentOperation'>;

export const ACTIONS = ['cancel', 'refund', 'sync'] as const;
export type ActionName = (typeof ACTIONS)[number];

export const ACTION_LABELS: Record<ActionName, string> = { cancel: 'Cancel', refund: 'Refund', sync: 'Sync' };

const isOpen = ({ state }: Operation): boolean => state !== 'confirmed' && state !== 'refused';

const isUnderWay = (operations: Operation[], kind: Operation['kind']): boolean =>
  operations.some((operation) => operation.kind === kind && isOpen(operation));

/** Why it cannot be done now; `undefined`: it can. */
export function obstacle(action: ActionName, { status }: Payment, operations: Operation[]): string | undefined {
  if (action === 'sync') return operations.some(isOpen) ? undefined : 'Sync: nothing is open at the provider.';
  const kind = action === 'cancel' ? 'void' : 'refund';
  if (isUnderWay(operations, kind))
    return `${ACTION_LABELS[action]}: a ${kind} is under way; sync asks the provider about it.`;
  if (action === 'cancel' && status !== 'pending' && status !== 'processing')
    return `Cancel: only pending and processing payments can be cancelled; this one is ${status}.`;
  if (action === 'refund' && status !== 'completed')
    return `Refund: only completed payments can be refunded; this one is ${status}.`;
  return undefined;
}

/** What will happen, sentence by sentence. */
export function consequences(action: ActionName, payment: Payment, amount: string): string[] {
  const provider = `${payment.payment_provider} (${payment.shop.name})`;
  const webhook = payment.webhook_endpoint === null ? [] : [`A webhook about it goes to ${payment.webhook_endpoint}.`];
  if (action === 'sync')
    return [
      `${provider} is asked now about everything that is open of this payment. Nothing new is charged or given back.`,
      'The payment changes to what the provider says.',
    ];
  if (action === 'refund')
    return [
      `${provider} is asked to give back ${amount}, all of it; partial refunds are not supported.`,
      'The payment becomes refunded when the provider confirms. This cannot be taken back.',
      ...webhook,
    ];
  if (payment.status === 'pending')
    return [
      'The payment becomes cancelled at once. This cannot be taken back.',
      `${provider} is told to void it, again and again until it confirms: a charge that it may have made is given back.`,
      ...webhook,
    ];
  return [
    `${provider} is asked to void it.`,
    'The payment becomes cancelled when the provider confirms, and stays as it is when the provider refuses. This cannot be taken back.',
    ...webhook,
  ];
}

/** What came of it. */
export function resultOf(action: ActionName, before: Payment['status'], after: Payment['status']): string {
  if (after !== before) return `The payment is ${after} now.`;
  return action === 'sync'
    ? `The provider was asked. The payment is still ${after}.`
    : `The provider has the request, and tells the outcome later. Until then the payment stays ${after}.`;
}
