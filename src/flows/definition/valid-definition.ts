import { assertionFailure } from '@payment-orchestrator/routing/definition/assertions';
import type { FlowDefinition } from '@payment-orchestrator/routing/definition/definition';
import { definitionErrors } from '@payment-orchestrator/routing/definition/definition-errors';
import { Problem } from '../../shared/problem.js';
import type { ShopSummary } from '../../shops/shop-summary.js';

/** Throws `validation_failed` with `definitionErrors`; `prefix` comes before the name of each field. */
export function* requireValidDefinition(
  definition: FlowDefinition,
  knownShopIds: ReadonlySet<number>,
  prefix = '',
): Generator<void, void> {
  const errors = yield* definitionErrors(definition, knownShopIds);
  if (errors.length > 0) {
    const named = errors.map(({ field, message }) => ({ field: `${prefix}${field}`, message }));
    throw new Problem('validation_failed', { errors: named });
  }
  yield;
}

/** Refuses a definition that breaks its own assertions. Problems: `flow_assertion_violated`, `flow_assertions_too_complex`. */
export function* requireAssertions(
  definition: FlowDefinition,
  summaries: ReadonlyMap<number, ShopSummary>,
): Generator<void, void> {
  const failure = yield* assertionFailure(definition, summaries);
  if (!failure) return;
  const { reason, errors } = failure;
  throw new Problem(reason === 'violated' ? 'flow_assertion_violated' : 'flow_assertions_too_complex', { errors });
}
