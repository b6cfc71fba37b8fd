import type { MetricDescription } from '../src/platform/observability/metrics.js';

export function metricsPage(described: Record<string, MetricDescription[]>): string;
