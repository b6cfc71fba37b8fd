import { ROOT_CONTEXT, type SpanContext, SpanKind, trace } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { describe, expect, it } from '@jest/globals';
import type { TracingSettings } from '../config/config.js';
import { samplerFor } from './sampler.js';

const aContext = (traceFlags: number): SpanContext => ({
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  traceFlags,
  isRemote: true,
});
const [RECORDED, NOT_RECORDED] = [aContext(1), aContext(0)];

function records(sampler: TracingSettings['sampler'], samplerRatio: number, parent?: SpanContext, link?: SpanContext) {
  const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
  const links = link ? [{ context: link }] : [];
  const { decision } = samplerFor({ sampler, samplerRatio }).shouldSample(
    context,
    'c'.repeat(32),
    'a span',
    SpanKind.INTERNAL,
    {},
    links,
  );
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
}

describe('samplerFor', () => {
  // expected for: the first span of a trace, below a recorded span, below an unrecorded one, linked to a recorded one
  it.each([
    ['always_on', 0, [true, true, true, true]],
    ['always_off', 1, [false, false, false, false]],
    ['traceidratio', 0, [false, false, false, false]],
    ['traceidratio', 1, [true, true, true, true]],
    ['parentbased_always_on', 0, [true, true, false, true]],
    ['parentbased_always_off', 1, [false, true, false, true]],
    ['parentbased_traceidratio', 0, [false, true, false, true]],
    ['parentbased_traceidratio', 1, [true, true, false, true]],
  ] as const)('returns for %s with %d a sampler that records the expected spans', (sampler, ratio, expected) => {
    const cases = [[], [RECORDED], [NOT_RECORDED], [undefined, RECORDED]] as const;
    expect(cases.map(([parent, link]) => records(sampler, ratio, parent, link))).toEqual(expected);
  });
});
