import { Injectable, Global, Module } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../config/config.js';

/**
 * The values of a label: a list, or a function for values that are known after the start, such as routes, with a
 * description. Never ids, or values that a caller or a provider chooses.
 *
 * Why not prom-client by itself: it neither limits the values of a label nor starts its series at 0.
 */
type LabelValues = readonly string[] | { readonly words: string; values(): Iterable<string> };

type Series = Readonly<Record<string, string>>;

/** Definition of a metric. `help` says what is counted or measured, and when, if that is not obvious. */
export interface MetricDefinition<T extends string = never> {
  name: string;
  help: string;
  labels?: Readonly<Record<T, LabelValues>>;
  /** The value is read from the database, so it is the same in every process. */
  isFromDatabase?: boolean;
}

interface CounterDefinition<T extends string> extends MetricDefinition<T> {
  /** The existing combinations of labels; absent: all combinations. */
  series?: readonly Readonly<Record<T, string>>[];
  /** Adds the collected amount when `/metrics` is requested. */
  collect?: (this: Counter<T>) => void;
}

interface GaugeDefinition<T extends string> extends MetricDefinition<T> {
  /** Sets the value when `/metrics` is requested. */
  collect?: (this: Gauge<T>) => void | Promise<void>;
}

interface HistogramDefinition<T extends string> extends MetricDefinition<T> {
  buckets: number[];
}

/** A metric for `docs/operate/metrics.md`. */
export interface MetricDescription {
  name: string;
  type: string;
  help: string;
  labels: { name: string; values: readonly string[]; words: string | undefined }[];
  /** The number of series of a counter that has only some combinations of its labels. */
  seriesCount: number | undefined;
  /** Read from the database, so the same in every process. */
  isFromDatabase: boolean;
}

/**
 * The process's Prometheus metrics. Register each metric once, in a constructor, and keep the result: `this.attempts =
 * metrics.counter({ name: 'webhook_attempts_total', help: '…', labels: { outcome: OUTCOMES } })`.
 * - Every label has a closed list of values, so the number of series is limited by the code.
 * - Every series of a counter exists from the start, at 0, so that a rate includes the first failure.
 * - A gauge with `collect` reads its value when `/metrics` is requested; `DatabaseGauges` reads gauges from the
 *   database.
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private readonly definitions = new Map<string, MetricDefinition<string>>();
  private readonly seriesCounts = new Map<string, number>();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  counter<T extends string = never>({ series, collect, ...definition }: CounterDefinition<T>): Counter<T> {
    const counter = new Counter<T>({ ...this.configured(definition), ...(collect && { collect }) });
    if (series) this.seriesCounts.set(definition.name, series.length);
    for (const labels of series ?? everySeries(definition.labels ?? {})) {
      if (Object.keys(labels).length > 0) counter.inc(labels as Record<T, string>, 0);
    }
    return counter;
  }

  gauge<T extends string = never>({ collect, ...definition }: GaugeDefinition<T>): Gauge<T> {
    return new Gauge<T>({ ...this.configured(definition), ...(collect && { collect }) });
  }

  histogram<T extends string = never>({ buckets, ...definition }: HistogramDefinition<T>): Histogram<T> {
    return new Histogram<T>({ ...this.configured(definition), buckets });
  }

  /** Sets the kind of the process; call once. */
  setProcess(role: string): void {
    const labels = {
      process: ['api', 'worker'],
      version: { words: 'version of the package', values: () => [VERSION] },
    };
    this.gauge({ name: 'process_up_info', help: '1: the process runs', labels }).set(
      { process: role, version: VERSION },
      1,
    );
  }

  /** All metrics in Prometheus's text format. */
  render(): Promise<string> {
    return this.registry.metrics();
  }

  /** All metrics, sorted by name. */
  describe(): MetricDescription[] {
    const metrics = this.registry.getMetricsAsArray() as unknown as RegisteredMetric[];
    const described = metrics.map(({ name, type, help, labelNames }) => ({
      name,
      type,
      help,
      labels: labelNames.map((label) => labelDescription(label, this.definitions.get(name)?.labels?.[label])),
      seriesCount: this.seriesCounts.get(name),
      isFromDatabase: this.definitions.get(name)?.isFromDatabase ?? false,
    }));
    return described.sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  private configured<T extends string>(definition: MetricDefinition<T>) {
    const { name, help, labels } = definition;
    this.definitions.set(name, definition);
    return { name, help, labelNames: Object.keys(labels ?? {}) as T[], registers: [this.registry] };
  }
}

/** The fields of prom-client's metrics that its types lack in part. */
interface RegisteredMetric {
  name: string;
  type: string;
  help: string;
  labelNames: string[];
}

/** Metrics of Node come from prom-client, so the values of their labels are not listed here. */
function labelDescription(name: string, values: LabelValues | undefined): MetricDescription['labels'][number] {
  if (values === undefined) return { name, values: [], words: 'set by Node' };
  return 'words' in values
    ? { name, values: [...values.values()].sort(), words: values.words }
    : { name, values, words: undefined };
}

/** All combinations of labels; none if a list is not known yet. */
function everySeries(labels: Readonly<Record<string, LabelValues>>): Series[] {
  let series: Series[] = [{}];
  for (const [name, values] of Object.entries(labels)) {
    if ('words' in values) return [];
    series = series.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
  }
  return series;
}

/** `Metrics` for every module. To log, use NestJS's `Logger` (see `NestLogger`). */
@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
export class ObservabilityModule {}
