import type { ApiClient } from '../client.js';
import { checkDeliveries } from './deliveries.js';
import { explainDuplicates, type Duplicates } from './duplicates.js';
import type { Evidence } from './evidence.js';
import type { Violations } from '../../../test/support/ledger/violations.js';
import { checkLedgers, type LedgerVerdict } from '../../../test/support/ledger/ledger.js';
import { checkObjects } from './objects.js';
import { checkPayments } from './payments.js';
import { checkSlowReceivers, type SlowReceivers } from './slow-receivers.js';
import { checkTimes } from './times.js';

/**
 * Checks that hold regardless of the faults: nothing lost, nothing twice, nothing unsigned, agreement with the
 * provider.
 */
export interface Judgement {
  ledger: LedgerVerdict;
  duplicates: Duplicates;
  slowReceivers: SlowReceivers;
}

/** Adds every violation that it finds. */
export function judge(evidence: Evidence, client: ApiClient, violations: Violations): Judgement {
  checkAnswers(client, violations);
  checkPayments(evidence, violations);
  checkObjects(evidence, violations);
  checkDeliveries(evidence, violations);
  checkTimes(evidence, violations);
  return {
    ledger: checkLedgers(evidence.ledgers, violations),
    duplicates: explainDuplicates(evidence, violations),
    slowReceivers: checkSlowReceivers(evidence, violations),
  };
}

function checkAnswers({ unexpectedAnswers, unexpectedCount }: ApiClient, violations: Violations): void {
  for (const answer of unexpectedAnswers) violations.add('wrong answer even during an outage', answer);
  for (let more = unexpectedAnswers.length; more < unexpectedCount; more++)
    violations.add('wrong answer even during an outage', '');
}
