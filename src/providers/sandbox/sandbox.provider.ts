import { Injectable } from '@nestjs/common';
import { type FieldError, Problem } from '../../shared/problem.js';
import { Random } from '../../shared/random.js';
import type {
  AuthorizeAnswer,
  AuthorizeRequest,
  ConfirmationAnswer,
  IncomingNotification,
  PaymentProvider,
  ProviderNotification,
} from '../provider.js';
import { isSignedBy, parseSandboxNotification } from './sandbox-notification.js';

/** What each `payment_method.token` makes the sandbox answer; `undefined` (no answer) is a call that never returns. */
const ANSWERS: Readonly<Record<string, AuthorizeAnswer | undefined>> = {
  tok_success: { status: 'completed' },
  tok_decline: { status: 'failed', providerMetadata: { decline_code: 'card_declined' } },
  tok_pending: { status: 'processing' },
  tok_timeout: undefined,
};

export const SANDBOX_TOKENS = Object.keys(ANSWERS);

/** The built-in provider for development and tests: moves no money, and its answers are chosen by the payment method's token. */
@Injectable()
export class SandboxProvider implements PaymentProvider {
  readonly name = 'sandbox';

  constructor(private readonly random: Random) {}

  validateCredentials(credentials: Record<string, unknown>): FieldError[] {
    const errors = Object.keys(credentials)
      .filter((key) => key !== 'notification_secret')
      .map((key) => ({ field: key, message: 'is not a credential of the sandbox; it takes notification_secret' }));
    const secret = credentials['notification_secret'];
    if (secret !== undefined && (typeof secret !== 'string' || secret.length < 16 || secret.length > 200)) {
      errors.push({ field: 'notification_secret', message: 'must be a string of 16 to 200 characters' });
    }
    return errors;
  }

  newTransactionId(): string {
    return `sbx_${this.random.uuid()}`;
  }

  async authorize(request: AuthorizeRequest, signal: AbortSignal): Promise<AuthorizeAnswer> {
    const token = request.paymentMethodToken ?? 'tok_success';
    if (!Object.hasOwn(ANSWERS, token)) {
      return { status: 'failed', providerMetadata: { decline_code: 'unknown_token' } };
    }
    return ANSWERS[token] ?? (await neverAnswers(signal));
  }

  cancel(): Promise<ConfirmationAnswer> {
    return Promise.resolve({ outcome: 'confirmed' });
  }

  refund(): Promise<ConfirmationAnswer> {
    return Promise.resolve({ outcome: 'confirmed' });
  }

  parseNotification(incoming: IncomingNotification, credentials: Record<string, unknown>): ProviderNotification {
    const secret = credentials['notification_secret'];
    const signature = incoming.headers['signature'];
    if (
      typeof secret !== 'string' ||
      typeof signature !== 'string' ||
      !isSignedBy(secret, incoming.rawBody, signature)
    ) {
      throw new Problem('invalid_signature');
    }
    return parseSandboxNotification(incoming.rawBody);
  }
}

function neverAnswers(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(new Error('the sandbox did not answer', { cause: signal.reason }));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
