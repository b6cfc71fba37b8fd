import type { FieldError } from '../../shared/problem.js';
import { conditionErrors } from './condition-errors.js';
import type { Assertion, FlowDefinition } from './definition.js';

/** What is wrong with the shape of a definition's assertions; whether they hold is another matter (`assertions.ts`). */
export const assertionErrors = ({ assertions = [] }: FlowDefinition, knownShopIds: ReadonlySet<number>): FieldError[] =>
  assertions.flatMap((assertion, index) => {
    const field = `assertions[${index}]`;
    return [...conditionErrors(assertion.when, `${field}.when`), ...claimErrors(assertion, knownShopIds, field)];
  });

/** The shop need not be in the flow: an assertion may be there to keep it out. */
function claimErrors(assertion: Assertion, knownShopIds: ReadonlySet<number>, field: string): FieldError[] {
  if ('never' in assertion === 'at_least' in assertion) return [{ field, message: 'takes one of never and at_least' }];
  if (!('never' in assertion) || knownShopIds.has(assertion.never)) return [];
  return [{ field: `${field}.never`, message: 'is not a shop of yours' }];
}
