import { Injectable, Logger, Module } from '@nestjs/common';
import { MalformedAnswer } from '@payment-orchestrator/provider-kit';
import { InjectConfig } from '../../platform/config/config.module.js';
import type { Config } from '../../platform/config/config.js';
import { tracing } from '../../platform/tracing/tracing.js';
import { inTime } from '../../shared/clock.js';
import { type ProviderCall, ProviderMetrics } from './provider-metrics.js';
import { ProvidersModule } from '../providers.module.js';
import { reasonOf } from './thrown-error.js';

/** `known: false`: no readable answer in time. The effect of the call is unknown. */
export type ProviderOutcome<Answer> = { known: true; answer: Answer } | { known: false };

type AnyAnswer = { outcome: string } | { status: string };

const resultOf = (answer: AnyAnswer): string => ('outcome' in answer ? answer.outcome : answer.status);

/** `payment_id` and `attempt` are absent if the call is about no payment. */
export interface CallTarget {
  shop_id: number;
  provider: string;
  payment_id?: number;
  attempt?: number;
}

/**
 * Makes single calls of adapters: limited by `PROVIDER_TIMEOUT_MS`, traced, measured, and logged without an answer. An
 * adapter's error and a malformed answer count as no answer.
 */
@Injectable()
export class ProviderCallRunner {
  private readonly logger = new Logger(ProviderCallRunner.name);

  constructor(
    private readonly metrics: ProviderMetrics,
    @InjectConfig() private readonly config: Pick<Config, 'providerTimeoutMs'>,
  ) {}

  /**
   * Makes the call `send`. The trace ends here: a `traceparent` would show the provider which of our calls belong
   * together.
   */
  run<Answer extends AnyAnswer>(
    target: CallTarget,
    operation: ProviderCall,
    send: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<ProviderOutcome<Answer>> {
    const attributes = {
      'provider.name': target.provider,
      'provider.operation': operation,
      'payment.id': target.payment_id,
      'payment.attempt': target.attempt,
      'shop.id': target.shop_id,
    };
    const startedAt = performance.now();
    const observe = (outcome: string) =>
      this.metrics.observe(target.provider, operation, outcome, (performance.now() - startedAt) / 1_000);
    return tracing.run(`provider.${operation}`, { kind: 'client', attributes }, async (span) => {
      try {
        const answer = await inTime(this.config.providerTimeoutMs, send);
        observe(resultOf(answer));
        span.set({ 'provider.outcome': resultOf(answer) });
        return { known: true, answer };
      } catch (error) {
        observe('no_answer');
        span.fail('no_answer');
        this.warnOfNoAnswer(target, operation, error);
        return { known: false };
      }
    });
  }

  private warnOfNoAnswer(target: CallTarget, operation: ProviderCall, error: unknown): void {
    const call = {
      paymentId: target.payment_id,
      attempt: target.attempt,
      shopId: target.shop_id,
      provider: target.provider,
      operation,
    };
    if (error instanceof MalformedAnswer)
      this.logger.error({ msg: 'the connector gave a malformed answer', ...call, reason: error.message });
    else this.logger.warn({ msg: 'provider gave no answer', ...call, reason: reasonOf(error) });
  }
}

/** Calls of providers, for features that charge, capture, void or refund. */
@Module({
  imports: [ProvidersModule],
  providers: [ProviderCallRunner, ProviderMetrics],
  exports: [ProviderCallRunner],
})
export class ProviderCallsModule {}
