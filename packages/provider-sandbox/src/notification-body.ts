import type { ProviderEvent } from '@payment-orchestrator/provider-kit';
import { notificationSecret } from './credentials.js';
import { sandboxSignature } from './signature.js';
import type { NewSandboxNotification, SandboxTransaction } from './transactions.queries.js';

/** Prefix of the sandbox's own notifications. */
const OWN_ID = 'sbn_';

export const isOwnNotification = (id: string): boolean => id.startsWith(OWN_ID);

type Subject = Pick<SandboxTransaction, 'reference' | 'transaction_id' | 'amount' | 'currency' | 'decline_code'> & {
  capture_before?: Date | null;
};

/** The id of the operation that the event is about, or the dispute and the time of its state. */
interface Details {
  operation_id?: string;
  occurred_at?: Date;
  dispute?: object;
}

/** When it is due, and the payer's choice that it depends on. */
type Moment = Pick<NewSandboxNotification, 'due_in_ms' | 'choice'>;

/**
 * A signed notification, ready to send, because the sandbox stores no secret. `undefined` for a shop without one.
 * `uuid`: a new one.
 */
export function notificationOf<Due extends Moment>(
  subject: Subject,
  status: ProviderEvent['status'],
  credentials: Record<string, unknown>,
  uuid: string,
  moment: Due,
  details: Details = {},
): (NewSandboxNotification & Due) | undefined {
  const secret = notificationSecret(credentials);
  if (secret === undefined) return undefined;
  const id = `${OWN_ID}${uuid}`;
  const body = JSON.stringify({
    id,
    provider_transaction_id: subject.transaction_id,
    reference: subject.reference,
    status,
    amount: subject.amount,
    currency: subject.currency,
    ...(status === 'authorized' && { capture_before: subject.capture_before }),
    ...details,
    data: status === 'failed' ? { decline_code: subject.decline_code } : {},
  });
  return { id, body, signature: sandboxSignature(secret, body), ...moment };
}
