import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import { FIND_BY_REFERENCE } from '../store/payment.queries.js';
import { Problem } from '../../shared/problem.js';
import { isAuthorized, isOutcomePending } from '../money/state/state.js';
import { OperationRecords } from '../store/operation-records.service.js';
import type { PaymentRow } from '../money/state/payment.js';
import { PaymentsService } from '../store/payments.service.js';
import { ActionCompletion } from '../work/action-completion.service.js';
import type { ActingAttempt } from '../work/provider-calls.service.js';

const REFERENCE = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

type Data = Readonly<Record<string, unknown>>;

/**
 * Completes steps of payers at providers that wait for what the step returned, in the merchant's page or after a redirect through
 * us. Nothing of it is stored: if the process dies after the call, a repeat gets the same answer from the provider, and a
 * notification or a look-up finds the outcome.
 */
@Injectable()
export class NextActions {
  private readonly logger = new Logger(NextActions.name);

  constructor(
    private readonly payments: PaymentsService,
    private readonly operations: OperationRecords,
    private readonly completion: ActionCompletion,
    private readonly database: Database,
    private readonly providers: ProviderRegistry,
  ) {}

  /**
   * Completes a `provider_action`. A payment that has its outcome is returned unchanged, because a notification may have
   * been faster, and so that a repeat is safe. Throws `payment_not_found`, `no_next_action`, `validation_failed` with
   * fields in `data`, and `dependency_unavailable` if the provider does not answer.
   */
  async complete(merchantId: number, paymentId: number, data: Data): Promise<PaymentRow> {
    const payment = await this.payments.find(merchantId, paymentId);
    if (!isOutcomePending(payment, payment.attempt) || isAuthorized(payment)) return payment;
    const attempt = await this.waitingAttempt(payment);
    const completion = await this.completion.handIn(attempt, data, payment.next_action);
    if (completion.outcome === 'completed') return completion.payment;
    if (completion.outcome === 'no_answer') throw noAnswer();
    const errors = completion.errors.map(({ field, message }) => ({ field: `data.${field}`, message }));
    throw new Problem('validation_failed', { errors });
  }

  /**
   * Completes the redirect and returns the payer's next address: the merchant's `return_url`, for any outcome of the
   * payment. May be repeated: parameters that are handed in twice are charged once, and nothing is handed in for a
   * payment that no longer waits. Throws `payment_not_found`.
   */
  async receiveReturn(provider: string, reference: string, query: Readonly<Record<string, string>>): Promise<string> {
    const attempt = await this.find(provider, reference);
    if (!attempt) throw new Problem('payment_not_found');
    const payment = await this.payments.find(attempt.merchant_id, attempt.payment_id);
    if (payment.return_url === null) throw new Problem('payment_not_found');
    if (isOutcomePending(payment, attempt.attempt) && this.takesReturns(provider, payment)) {
      await this.completion.handIn(attempt, query, payment.next_action).catch((error: unknown) => {
        const msg = 'failed to record the outcome of a redirect; a notification or a repeat will bring it';
        this.logger.error({ msg, paymentId: payment.id, err: error });
      });
    }
    return new URL(payment.return_url).href; // in ASCII, as headers are
  }

  /** A step in the page is completed with the merchant's token, unless the provider's own page returns through us. */
  private takesReturns(provider: string, { next_action: action }: PaymentRow): boolean {
    return action?.type === 'redirect' || this.providers.get(provider).completesRedirects === true;
  }

  private async find(
    provider: string,
    reference: string,
  ): Promise<(ActingAttempt & { merchant_id: number }) | undefined> {
    if (!REFERENCE.test(reference)) return undefined;
    type Found = ActingAttempt & { merchant_id: number };
    return (await this.database.query<Found>(FIND_BY_REFERENCE, [reference, provider]))[0];
  }

  private async waitingAttempt({
    id,
    attempt,
    status,
    capture,
    next_action: action,
  }: PaymentRow): Promise<ActingAttempt> {
    const charge = (await this.operations.list(id)).find((row) => row.kind === 'charge' && row.attempt === attempt);
    if (action?.type === 'provider_action' && charge) return { ...charge, capture };
    const waitsFor =
      action?.type === 'redirect' ? 'waits for the payer to return from a redirect' : 'has no next action';
    throw new Problem('no_next_action', { detail: `payment ${id} is ${status} and ${waitsFor}` });
  }
}

const noAnswer = (): Problem =>
  new Problem('dependency_unavailable', {
    detail: 'the provider gave no answer, and repeating the request is safe',
  });
