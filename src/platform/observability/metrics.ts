import { Injectable, Global, Module } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../config/config.js';

/**
 * Why not prom-client as it is: it neither bounds the values of a label nor starts its series at 0.
 *
 * The values that a label takes: a list, or one that is known once the process has started, such as its routes, with what
 * it holds in words. Closed either way: never ids, nothing that a caller or a provider chose.
 */
type LabelValues = readonly string[] | { readonly words: string; values(): Iterable<string> };

type Series = Readonly<Record<string, string>>;

/** What a metric is; `help` says what is counted or measured, and where that is not plain when. */
export interface MetricDefinition<T extends string = never> {
  name: string;
  help: string;
  labels?: Readonly<Record<T, LabelValues>>;
  /** Its value is read from the database, and so the same in every process. */
  isFromDatabase?: boolean;
}

interface CounterDefinition<T extends string> extends MetricDefinition<T> {
  /** The combinations of labels that there are; absent: all. */
  series?: readonly Readonly<Record<T, string>>[];
  /** Adds what has come together when `/metrics` is asked for. */
  collect?: (this: Counter<T>) => void;
}

interface GaugeDefinition<T extends string> extends MetricDefinition<T> {
  /** Sets the value when `/metrics` is asked for. */
  collect?: (this: Gauge<T>) => void | Promise<void>;
}

interface HistogramDefinition<T extends string> extends MetricDefinition<T> {
  buckets: number[];
}

/** A metric as `docs/operate/metrics.md` tells of it. */
export interface MetricDescription {
  name: string;
  type: string;
  help: string;
  labels: { name: string; values: readonly string[]; words: string | undefined }[];
  /** Read from the database, and so the same in every process. */
  isFromDatabase: boolean;
}

/**
 * The process's Prometheus metrics. Register each metric once, in a constructor, and keep what is returned:
 * `this.attempts = metrics.counter({ name: 'webhook_attempts_total', help: '…', labels: { outcome: OUTCOMES } })`.
 * - Every label has a closed list of values, so the number of series is bounded by the code.
 * - Every series of a counter is there from the start, at 0: a rate over it sees the first failure as well.
 * - A gauge with `collect` reads its value when `/metrics` is asked for; gauges of rows are `DatabaseGauges`.
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private readonly definitions = new Map<string, MetricDefinition<string>>();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  counter<T extends string = never>({ series, collect, ...definition }: CounterDefinition<T>): Counter<T> {
    const counter = new Counter<T>({ ...this.configured(definition), ...(collect && { collect }) });
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

  /** Tells of which kind of process these metrics are; once. */
  setProcess(role: string): void {
    const labels = { process: ['api', 'worker'], version: { words: 'of the package', values: () => [VERSION] } };
    this.gauge({ name: 'process_up_info', help: '1: the process runs', labels }).set(
      { process: role, version: VERSION },
      1,
    );
  }

  /** All metrics in Prometheus's text format. */
  render(): Promise<string> {
    return this.registry.metrics();
  }

  /** What there is, by name. */
  describe(): MetricDescription[] {
    const metrics = this.registry.getMetricsAsArray() as unknown as RegisteredMetric[];
    const described = metrics.map(({ name, type, help, labelNames }) => ({
      name,
      type,
      help,
      labels: labelNames.map((label) => labelDescription(label, this.definitions.get(name)?.labels?.[label])),
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

/** What prom-client keeps of a metric, which its types leave out in part. */
interface RegisteredMetric {
  name: string;
  type: string;
  help: string;
  labelNames: string[];
}

/** Those of Node itself, which are prom-client's own, have labels that are not ours to list. */
function labelDescription(name: string, values: LabelValues | undefined): MetricDescription['labels'][number] {
  if (values === undefined) return { name, values: [], words: 'of Node' };
  return 'words' in values
    ? { name, values: [...values.values()].sort(), words: values.words }
    : { name, values, words: undefined };
}

/** None where a list is not known yet. */
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
