import { median, percentile } from '../support/statistics.js';
import { formatTable } from '../support/report.js';
import type { ApiClient } from './client.js';
import { duplicateLines, type Duplicates } from './oracle/duplicates.js';
import { groupBy, type Evidence } from './oracle/evidence.js';
import type { Findings } from '../../test/support/ledger/findings.js';
import type { LedgerVerdict } from '../../test/support/ledger/ledger.js';
import type { Judgement } from './oracle/verdict.js';
import type { Recovery } from './oracle/recovery.js';
import type { SlowReceivers } from './oracle/slow-receivers.js';
import type { Load } from './load.js';

export interface Verdict extends Judgement {
  evidence: Evidence;
  findings: Findings;
  recoveries: Recovery[];
  readinessMs: number;
  drainMs: number;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const clockSteps = ({ clockSteps: steps }: Evidence): string =>
  `${steps.length} times, by up to ${Math.max(0, ...steps.map(({ byMs }) => Math.abs(byMs))).toFixed(0)} ms`;

/** What happened, for people. */
export function printReport(verdict: Verdict, client: ApiClient, load: Load): void {
  const { evidence, findings, duplicates, recoveries } = verdict;
  const failed = evidence.deliveries.filter((delivery) => delivery.status === 'failed').length;
  const retried = evidence.deliveries.filter((delivery) => delivery.attempts > 1).length;
  const facts: [string, string][] = [
    ['faults', String(evidence.faults.length)],
    ['payments', `${evidence.payments.length} (${load.leftOut} left out during outages)`],
    ['agreement with the provider', agreement(verdict.ledger)],
    ['changes of status committed', String(evidence.changes.length)],
    ['deliveries', `${evidence.deliveries.length}, ${retried} retried, ${failed} failed by the rules`],
    ['retries due within one second', String(mostDueAtOnce(evidence))],
    ['requests received', String(evidence.receipts.length)],
    ...Object.entries(BROKEN).map(([name, kinds]): [string, string] => [name, String(broken(findings, kinds))]),
    [
      'duplicates',
      `${duplicates.extraRequests} requests, ${duplicates.acceptedTwice} accepted twice, ${duplicates.lateAnswers} answered too late`,
    ],
    ['duplicates by cause', causesOf(duplicates)],
    ['slow but healthy receivers', toSlowReceivers(verdict.slowReceivers)],
    ['slowest recovery from SIGKILL', recoveryFromKills(recoveries)],
    ['answers of 5xx', listed(client.serverErrors)],
    ['counter', `${evidence.counter}, gaps ${evidence.counter - roundRobin(evidence)}`],
    ['POST /payments', `median ${seconds(median(client.createMs))}, p99 ${seconds(percentile(client.createMs, 0.99))}`],
    ['slowest answer of the API', seconds(client.slowestMs)],
    ['slowest to be ready again', seconds(verdict.readinessMs)],
    ['drained after', seconds(verdict.drainMs)],
    ['wall clock put right', clockSteps(evidence)],
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

/** The headings of the verdict, and the kinds of findings that each sums up. */
const BROKEN: Readonly<Record<string, readonly string[]>> = {
  lost: [
    'delivery lost',
    'changes without their deliveries',
    'marked delivered, but never received',
    'given up too early',
  ],
  early: ['attempt before its time', 'received before its time'],
  differing: ['body differs between attempts', 'signature differs between attempts', 'signature does not verify'],
  'out of order': ['changes out of order'],
  'duplicates unexplained': ['duplicate without a cause'],
  burned: ['healthy receiver given up', 'attempt without a request', 'attempt burned on a healthy receiver'],
};

function broken(findings: Findings, kinds: readonly string[]): number {
  const counts = findings.counts();
  return kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
}

const agreement = ({ payments, operations, recovered, disagreements }: LedgerVerdict): string =>
  `${payments} payments, ${operations} operations, ${recovered} recovered, ${disagreements.length} disagreements`;

const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([what, count]) => `${what} ×${count}`).join(', ') || 'none';

function toSlowReceivers({ deliveries, byFault, machineLate }: SlowReceivers): string {
  const frozen = [...byFault.values()].reduce((sum, count) => sum + count, 0);
  return `${deliveries} deliveries; attempts again after a frozen worker ${frozen}, after a late machine ${machineLate}`;
}

function causesOf({ byFault, sentOnceMore, lostLeases }: Duplicates): string {
  const byKind = new Map<string, number>();
  if (sentOnceMore > 0) byKind.set('a kept connection reset before the answer', sentOnceMore);
  if (lostLeases > 0) byKind.set('a lease lost in a crash of PostgreSQL', lostLeases);
  for (const [{ fault }, count] of byFault) byKind.set(fault.kind, (byKind.get(fault.kind) ?? 0) + count);
  return listed(byKind);
}

/** Of what receivers put off to a moment of theirs. */
function mostDueAtOnce({ receipts }: Evidence): number {
  const putOff = receipts.filter((receipt) => receipt.retryAfterMs > 0);
  const bySecond = groupBy(putOff, (receipt) => Math.round((receipt.endedAt + receipt.retryAfterMs) / 1_000));
  return Math.max(0, ...[...bySecond.values()].map((due) => due.length));
}

const killsAlone = (recoveries: readonly Recovery[]): Recovery[] =>
  recoveries.filter(({ record }) => record.fault.kind.startsWith('kill'));

function recoveryFromKills(recoveries: readonly Recovery[]): string {
  const kills = killsAlone(recoveries);
  if (kills.length === 0) return 'not measured: no kill was alone';
  return `${seconds(Math.max(...kills.map(({ ms }) => ms)))} (${kills.length} kills alone)`;
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
export function summary({
  evidence,
  findings,
  ledger,
  duplicates,
  recoveries,
  drainMs,
}: Verdict): Record<string, unknown> {
  return {
    faults: evidence.faults.length,
    payments: evidence.payments.length,
    operations: ledger.operations,
    recovered: ledger.recovered,
    disagreements: ledger.disagreements.length,
    changes: evidence.changes.length,
    deliveries: evidence.deliveries.length,
    receipts: evidence.receipts.length,
    ...Object.fromEntries(Object.entries(BROKEN).map(([name, kinds]) => [name, broken(findings, kinds)])),
    duplicates: duplicates.extraRequests,
    sentOnceMore: duplicates.sentOnceMore,
    lostLeases: duplicates.lostLeases,
    acceptedTwice: duplicates.acceptedTwice,
    slowestRecoveryFromKillMs: Math.round(Math.max(0, ...killsAlone(recoveries).map(({ ms }) => ms))),
    drainMs,
    violations: findings.counts(),
  };
}
