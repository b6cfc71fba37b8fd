import type { ApiClient } from '../client.js';
import { checkDeliveries } from './deliveries.js';
import { explainDuplicates, type Duplicates } from './duplicates.js';
import type { Evidence } from './evidence.js';
import type { Findings } from '../../../test/support/ledger/findings.js';
import { checkLedgers, type LedgerVerdict } from '../../../test/support/ledger/ledger.js';
import { checkPayments } from './payments.js';
import { checkSlowReceivers, type SlowReceivers } from './slow-receivers.js';
import { checkTimes } from './times.js';

/** What holds whatever happened: nothing lost, nothing twice, nothing unsigned, agreement with the provider. */
export interface Judgement {
  ledger: LedgerVerdict;
  duplicates: Duplicates;
  slowReceivers: SlowReceivers;
}

/** Adds what was broken to the findings. */
export function judge(evidence: Evidence, client: ApiClient, findings: Findings): Judgement {
  checkAnswers(client, findings);
  checkPayments(evidence, findings);
  checkDeliveries(evidence, findings);
  checkTimes(evidence, findings);
  return {
    ledger: checkLedgers(evidence.ledgers, findings),
    duplicates: explainDuplicates(evidence, findings),
    slowReceivers: checkSlowReceivers(evidence, findings),
  };
}

function checkAnswers({ surprises, surpriseCount }: ApiClient, findings: Findings): void {
  for (const surprise of surprises) findings.add('answer that no outage excuses', surprise);
  for (let more = surprises.length; more < surpriseCount; more++) findings.add('answer that no outage excuses', '');
}
