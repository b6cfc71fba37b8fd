import { median, percentile } from '../support/statistics.js';
import { formatTable } from '../support/table.js';
import type { ApiClient } from './client.js';
import { duplicateLines, type Duplicates } from './oracle/duplicates.js';
import { groupBy, type Evidence } from './oracle/evidence.js';
import type { Findings } from './oracle/findings.js';
import type { Recovery } from './oracle/recovery.js';
import type { Load } from './load.js';

export interface Verdict {
  evidence: Evidence;
  findings: Findings;
  duplicates: Duplicates;
  recoveries: Recovery[];
  readinessMs: number;
  drainMs: number;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** What happened, for people. */
export function printReport(verdict: Verdict, client: ApiClient, load: Load): void {
  const { evidence, findings, duplicates, recoveries } = verdict;
  const failed = evidence.deliveries.filter((delivery) => delivery.status === 'failed').length;
  const retried = evidence.deliveries.filter((delivery) => delivery.attempts > 1).length;
  const facts: [string, string][] = [
    ['faults', String(evidence.faults.length)],
    ['payments', `${evidence.payments.length} (${load.leftOut} left out during outages)`],
    ['changes of status', String(evidence.changes.length)],
    ['deliveries', `${evidence.deliveries.length}, ${retried} retried, ${failed} failed by the rules`],
    ['requests received', String(evidence.receipts.length)],
    [
      'duplicates',
      `${duplicates.extraRequests} requests, ${duplicates.acceptedTwice} accepted twice, ${duplicates.lateAnswers} answered too late`,
    ],
    ['counter', `${evidence.counter}, gaps ${evidence.counter - roundRobin(evidence)}`],
    ['POST /payments', `median ${seconds(median(client.createMs))}, p99 ${seconds(percentile(client.createMs, 0.99))}`],
    ['slowest answer of the API', seconds(client.slowestMs)],
    ['slowest to be ready again', seconds(verdict.readinessMs)],
    ['drained after', seconds(verdict.drainMs)],
    ['violations', String(findings.count)],
  ];
  console.log(
    `\n${formatTable(
      ['', ''],
      facts.map((fact) => [...fact]),
    )}`,
  );
  console.log(
    `\n  answers: ${[...client.tally]
      .sort()
      .map(([what, count]) => `${what} ×${count}`)
      .join(', ')}`,
  );
  console.log(
    `\n${formatTable(['fault (alone)', 'times', 'longest away', 'slowest recovery'], recoveryRows(recoveries))}`,
  );
  const causes = duplicateLines(duplicates);
  if (causes.length > 0) console.log(`\n  duplicates by fault:\n${causes.map((line) => `    ${line}`).join('\n')}`);
  for (const line of findings.lines()) console.log(line);
}

const roundRobin = ({ payments, turns }: Evidence): number =>
  payments.filter((payment) => turns.includes(payment.shop_id)).length;

function recoveryRows(recoveries: readonly Recovery[]): string[][] {
  return [...groupBy(recoveries, ({ record }) => record.fault.kind)].map(([kind, times]) => [
    kind,
    String(times.length),
    seconds(Math.max(...times.map(({ awayMs }) => awayMs))),
    seconds(Math.max(...times.map(({ ms }) => ms))),
  ]);
}

/** What happened, for machines. */
export function summary({ evidence, findings, duplicates, recoveries, drainMs }: Verdict): Record<string, unknown> {
  const kills = recoveries.filter(({ record }) => record.fault.kind.startsWith('kill')).map(({ ms }) => ms);
  return {
    faults: evidence.faults.length,
    payments: evidence.payments.length,
    deliveries: evidence.deliveries.length,
    receipts: evidence.receipts.length,
    duplicates: duplicates.extraRequests,
    acceptedTwice: duplicates.acceptedTwice,
    slowestRecoveryFromKillMs: Math.round(Math.max(0, ...kills)),
    drainMs,
    violations: findings.counts(),
  };
}
