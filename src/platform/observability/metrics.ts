import { Injectable, Global, Module } from '@nestjs/common';
import {
  collectDefaultMetrics,
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from 'prom-client';

/**
 * The process's Prometheus metrics. Register each metric once, in a constructor, and keep what is returned:
 * `this.attempts = metrics.counter({ name: 'webhook_attempts_total', help: '…', labelNames: ['outcome'] })`.
 * A gauge with `collect` reads its value when `/metrics` is asked for. Labels must have few values: never ids.
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  counter<T extends string>(configuration: CounterConfiguration<T>): Counter<T> {
    return new Counter({ ...configuration, registers: [this.registry] });
  }

  gauge<T extends string>(configuration: GaugeConfiguration<T>): Gauge<T> {
    return new Gauge({ ...configuration, registers: [this.registry] });
  }

  histogram<T extends string>(configuration: HistogramConfiguration<T>): Histogram<T> {
    return new Histogram({ ...configuration, registers: [this.registry] });
  }

  /** All metrics in Prometheus's text format. */
  render(): Promise<string> {
    return this.registry.metrics();
  }
}

/** `Metrics` for every module. To log, use NestJS's `Logger` (see `NestLogger`). */
@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
export class ObservabilityModule {}
