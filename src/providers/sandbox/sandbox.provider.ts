import { Injectable } from '@nestjs/common';
import { type FieldError, Problem } from '../../shared/problem.js';
import type {
  ChargeAnswer,
  ChargeRequest,
  IncomingNotification,
  OperationAnswer,
  ParsedNotification,
  PaymentProvider,
  ProviderCapabilities,
  ProviderEvent,
} from '../payment-provider.js';
import { isSignedBy, parseSandboxNotification } from './sandbox-notification.js';

/** What each `payment_method.token` makes the sandbox answer; `undefined` (no answer) is a call that never returns. */
const ANSWERS: Readonly<Record<string, ChargeAnswer | undefined>> = {
  tok_success: { outcome: 'approved' },
  tok_decline: { outcome: 'declined', declineCode: 'card_declined' },
  tok_soft_decline: { outcome: 'soft_declined', declineCode: 'issuer_unavailable' },
  tok_pending: { outcome: 'processing' },
  tok_timeout: undefined,
  tok_unavailable: { outcome: 'unavailable', reason: 'the sandbox plays an outage' },
};

const SANDBOX_TOKENS = Object.keys(ANSWERS);

/** Verified against where there is no secret; what it signs is refused all the same. */
const NO_SECRET = 'no secret';

const UNKNOWN_TOKEN: ChargeAnswer = { outcome: 'declined', declineCode: 'unknown_token' };

const CREDENTIALS: Readonly<Record<string, { isValid: (value: unknown) => boolean; takes: string }>> = {
  notification_secret: {
    isValid: (value) => typeof value === 'string' && value.length >= 16 && value.length <= 200,
    takes: 'a string of 16 to 200 characters',
  },
  simulate: {
    isValid: (value) => typeof value === 'string' && Object.hasOwn(ANSWERS, value),
    takes: `one of ${SANDBOX_TOKENS.join(', ')}`,
  },
};

/**
 * The built-in provider for development and tests: moves no money, and its answers are chosen by the payment method's
 * token, or for all payments of a shop by `simulate` among its credentials.
 */
@Injectable()
export class SandboxProvider implements PaymentProvider {
  readonly name = 'sandbox';

  capabilities(): ProviderCapabilities {
    return { lookup: 'none', idempotencyWindowMs: 86_400_000, choosesTransactionIds: false };
  }

  validateCredentials(credentials: Record<string, unknown>): FieldError[] {
    return Object.entries(credentials).flatMap(([field, value]) => {
      const credential = Object.hasOwn(CREDENTIALS, field) ? CREDENTIALS[field] : undefined;
      const known = Object.keys(CREDENTIALS).join(' and ');
      if (!credential) return [{ field, message: `is not a credential of the sandbox; it takes ${known}` }];
      return credential.isValid(value) ? [] : [{ field, message: `must be ${credential.takes}` }];
    });
  }

  async charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeAnswer> {
    const simulated = request.credentials['simulate'];
    const token = typeof simulated === 'string' ? simulated : (request.paymentMethodToken ?? 'tok_success');
    if (!Object.hasOwn(ANSWERS, token)) return UNKNOWN_TOKEN;
    return ANSWERS[token] ?? (await neverAnswers(signal));
  }

  void(): Promise<OperationAnswer> {
    return Promise.resolve({ outcome: 'confirmed' });
  }

  refund(): Promise<OperationAnswer> {
    return Promise.resolve({ outcome: 'confirmed' });
  }

  parseNotification(incoming: IncomingNotification, credentials: Record<string, unknown>): Promise<ParsedNotification> {
    return Promise.resolve().then(() => ({ events: [this.eventOf(incoming, credentials)] }));
  }

  private eventOf(incoming: IncomingNotification, credentials: Record<string, unknown>): ProviderEvent {
    const { rawBody, headers } = incoming;
    const secret = credentials['notification_secret'];
    const signature = typeof headers['signature'] === 'string' ? headers['signature'] : '';
    // as much work for a shop without a secret: how long a refusal takes tells nothing about shops
    const isSigned = isSignedBy(typeof secret === 'string' ? secret : NO_SECRET, rawBody, signature);
    if (!isSigned || typeof secret !== 'string') throw new Problem('invalid_signature');
    return parseSandboxNotification(rawBody);
  }
}

function neverAnswers(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(new Error('the sandbox did not answer', { cause: signal.reason }));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
