import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SamplingResult,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { TracingSettings } from '../config/config.js';

/**
 * The sampler with this name (OpenTelemetry's `OTEL_TRACES_SAMPLER`). The samplers based on the parent record the first
 * span of a trace if it is linked to another trace: links are stored only to recorded spans, so a payment is traced
 * with everything that follows from it, or not at all.
 */
export function samplerFor({ sampler, samplerRatio }: Pick<TracingSettings, 'sampler' | 'samplerRatio'>): Sampler {
  const [parentBased, root] = sampler.startsWith('parentbased_') ? [true, sampler.slice(12)] : [false, sampler];
  const rootSampler = ROOTS[root]!(samplerRatio);
  return parentBased ? new ParentBasedSampler({ root: new LinkBasedSampler(rootSampler) }) : rootSampler;
}

const ROOTS: Record<string, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
};

class LinkBasedSampler implements Sampler {
  constructor(private readonly withoutLinks: Sampler) {}

  shouldSample(...parameters: Parameters<Sampler['shouldSample']>): SamplingResult {
    const [, , , , , links] = parameters;
    if (links.length > 0) return { decision: SamplingDecision.RECORD_AND_SAMPLED };
    return this.withoutLinks.shouldSample(...parameters);
  }

  toString(): string {
    return `LinkBased{${this.withoutLinks.toString()}}`;
  }
}
