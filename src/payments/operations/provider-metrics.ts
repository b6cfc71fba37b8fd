import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/observability/metrics.js';

const LABELS = ['provider', 'operation', 'outcome'] as const;

/** Calls to providers; outcomes are the port's own words, and `no_answer`. */
@Injectable()
export class ProviderMetrics {
  private readonly calls;
  private readonly durations;

  constructor(metrics: Metrics) {
    this.calls = metrics.counter({
      name: 'provider_calls_total',
      help: 'Calls to payment providers by what came of them',
      labelNames: LABELS,
    });
    this.durations = metrics.histogram({
      name: 'provider_call_duration_seconds',
      help: 'How long calls to payment providers took',
      labelNames: LABELS,
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    });
  }

  observe(provider: string, operation: string, outcome: string, seconds: number): void {
    this.calls.inc({ provider, operation, outcome });
    this.durations.observe({ provider, operation, outcome }, seconds);
  }
}
