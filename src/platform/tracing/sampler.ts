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
 * The sampler of these names (OpenTelemetry's `OTEL_TRACES_SAMPLER`). Those that are based on the parent take a span that
 * begins a trace and is linked to another one as that one was taken: links are kept to recorded spans alone, so a payment is
 * seen with all that follows from it, or not at all.
 */
export function samplerFor({ sampler, samplerRatio }: Pick<TracingSettings, 'sampler' | 'samplerRatio'>): Sampler {
  const [parentBased, root] = sampler.startsWith('parentbased_') ? [true, sampler.slice(12)] : [false, sampler];
  const ofRoots = ROOTS[root]!(samplerRatio);
  return parentBased ? new ParentBasedSampler({ root: new LinkBasedSampler(ofRoots) }) : ofRoots;
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
