import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/observability/metrics.js';
import type { ChargeAnswer, OperationAnswer, ProviderState } from '@payment-orchestrator/provider-kit';
import { ProviderRegistry } from '../provider-registry.service.js';

type Outcomes<T> = readonly T[];

export const CHARGE_OUTCOMES: Outcomes<ChargeAnswer['outcome']> = [
  'approved',
  'authorized',
  'processing',
  'declined',
  'soft_declined',
  'unavailable',
];
export const REVERSAL_OUTCOMES: Outcomes<OperationAnswer['outcome']> = ['confirmed', 'pending', 'refused'];
export const LOOKED_UP: Outcomes<ProviderState['status']> = [
  'not_found',
  'open',
  'authorized',
  'captured',
  'voided',
  'refunded',
  'declined',
];

const NO_ANSWER = 'no_answer';
/** The data of a payer's step is incomplete, or about another transaction. */
export const INVALID_DATA = 'invalid_data';

/** The calls of the port and their outcomes, apart from no answer. */
const OUTCOMES = {
  charge: CHARGE_OUTCOMES,
  complete_action: [...CHARGE_OUTCOMES, INVALID_DATA],
  capture: REVERSAL_OUTCOMES,
  void: REVERSAL_OUTCOMES,
  refund: REVERSAL_OUTCOMES,
  lookup: LOOKED_UP,
  lookup_operation: [...REVERSAL_OUTCOMES, 'not_found'],
  detach: ['confirmed', 'not_found'],
} satisfies Record<string, Outcomes<string>>;

export type ProviderCall = keyof typeof OUTCOMES;

/** Metrics of calls to providers; outcomes are the codes of the port, and `no_answer`. */
@Injectable()
export class ProviderMetrics {
  private readonly calls;
  private readonly durations;

  constructor(metrics: Metrics, providers: ProviderRegistry) {
    const calls = Object.entries(OUTCOMES).flatMap(([operation, outcomes]) =>
      [...outcomes, NO_ANSWER].map((outcome) => ({ operation, outcome })),
    );
    const labels = {
      provider: providers.names(),
      operation: Object.keys(OUTCOMES),
      outcome: [...new Set(calls.map(({ outcome }) => outcome))],
    };
    this.calls = metrics.counter({
      name: 'provider_calls_total',
      help: 'Calls to payment providers by outcome',
      labels,
      series: providers.names().flatMap((provider) => calls.map((call) => ({ provider, ...call }))),
    });
    this.durations = metrics.histogram({
      name: 'provider_call_duration_seconds',
      help: 'Duration of calls to payment providers',
      labels,
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    });
  }

  observe(provider: string, operation: ProviderCall, outcome: string, seconds: number): void {
    this.calls.inc({ provider, operation, outcome });
    this.durations.observe({ provider, operation, outcome }, seconds);
  }
}
