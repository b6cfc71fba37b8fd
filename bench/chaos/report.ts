import { median, percentile } from '../support/statistics.js';
import { formatTable } from '../support/report.js';
import type { ApiClient } from './client.js';
import { duplicateLines, type Duplicates } from './oracle/duplicates.js';
import { groupBy, type Evidence } from './oracle/evidence.js';
import type { Violations } from '../../test/support/ledger/violations.js';
import type { LedgerVerdict } from '../../test/support/ledger/ledger.js';
import type { Judgement } from './oracle/verdict.js';
import type { Recovery } from './oracle/recovery.js';
import type { SlowReceivers } from './oracle/slow-receivers.js';
import type { Load } from './load.js';

export interface Verdict extends Judgement {
  evidence: Evidence;
  violations: Violations;
  recoveries: Recovery[];
  readinessMs: number;
  drainMs: number;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const clockSteps = ({ clockSteps: steps }: Evidence): string =>
  `${steps.length} times, by up to ${Math.max(0, ...steps.map(({ byMs }) => Math.abs(byMs))).toFixed(0)} ms`;

/** Prints the results of a run. */
export function printReport(verdict: Verdict, client: ApiClient, load: Load): void {
  const { evidence, violations, duplicates, recoveries } = verdict;
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
    ...Object.entries(BROKEN).map(([name, kinds]): [string, string] => [
      name === 'burned' ? 'unneeded attempts' : name,
      String(broken(violations, kinds)),
    ]),
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
    ['wall clock stepped', clockSteps(evidence)],
    ['violations', String(violations.count)],
  ];
  console.log(
    `\n${formatTable(
      ['', ''],
      facts.map((fact) => [...fact]),
    )}`,
  );
  console.log(`\n  operations: ${listed(evidence.made)}`);
  console.log(
    `\n  answers: ${[...client.tally]
      .sort()
      .map(([what, count]) => `${what} ×${count}`)
      .join(', ')}`,
  );
  console.log(
    `\n${formatTable(['fault (without overlap)', 'times', 'longest outage', 'slowest recovery'], recoveryRows(recoveries))}`,
  );
  const causes = duplicateLines(duplicates);
  if (causes.length > 0) console.log(`\n  duplicates by fault:\n${causes.map((line) => `    ${line}`).join('\n')}`);
  for (const line of violations.lines()) console.log(line);
}

/** The rows of the report by their key in the JSON summary, and the kinds of violations that each sums up. */
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
  burned: [
    'delivery to a healthy receiver failed',
    'attempt without a request',
    'failed attempt at a healthy receiver',
  ],
};

function broken(violations: Violations, kinds: readonly string[]): number {
  const counts = violations.counts();
  return kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
}

const agreement = ({ payments, operations, recovered, disagreements }: LedgerVerdict): string =>
  `${payments} payments, ${operations} operations, ${recovered} recovered, ${disagreements.length} disagreements`;

const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([what, count]) => `${what} ×${count}`).join(', ') || 'none';

function toSlowReceivers({ deliveries, byFault, slowMachine }: SlowReceivers): string {
  const frozen = [...byFault.values()].reduce((sum, count) => sum + count, 0);
  return `${deliveries} deliveries; repeated attempts: ${frozen} after a frozen worker, ${slowMachine} on a slow machine`;
}

function causesOf({ byFault, sentOnceMore, lostLeases }: Duplicates): string {
  const byKind = new Map<string, number>();
  if (sentOnceMore > 0) byKind.set('kept-alive connection reset before the answer', sentOnceMore);
  if (lostLeases > 0) byKind.set('lease lost in a crash of PostgreSQL', lostLeases);
  for (const [{ fault }, count] of byFault) byKind.set(fault.kind, (byKind.get(fault.kind) ?? 0) + count);
  return listed(byKind);
}

/** The most retries that `Retry-After` put into the same second. */
function mostDueAtOnce({ receipts }: Evidence): number {
  const deferred = receipts.filter((receipt) => receipt.retryAfterMs > 0);
  const bySecond = groupBy(deferred, (receipt) => Math.round((receipt.endedAt + receipt.retryAfterMs) / 1_000));
  return Math.max(0, ...[...bySecond.values()].map((due) => due.length));
}

const killsOf = (recoveries: readonly Recovery[]): Recovery[] =>
  recoveries.filter(({ record }) => record.fault.kind.startsWith('kill'));

function recoveryFromKills(recoveries: readonly Recovery[]): string {
  const kills = killsOf(recoveries);
  if (kills.length === 0) return 'not measured: every kill overlapped another fault';
  return `${seconds(Math.max(...kills.map(({ ms }) => ms)))} (${kills.length} kills without overlap)`;
}

const roundRobin = ({ payments, shopOrder }: Evidence): number =>
  payments.filter((payment) => shopOrder.includes(payment.shop_id)).length;

function recoveryRows(recoveries: readonly Recovery[]): string[][] {
  return [...groupBy(recoveries, ({ record }) => record.fault.kind)].map(([kind, times]) => [
    kind,
    String(times.length),
    seconds(Math.max(...times.map(({ outageMs }) => outageMs))),
    seconds(Math.max(...times.map(({ ms }) => ms))),
  ]);
}

/** The summary for `--json`. */
export function summary({
  evidence,
  violations,
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
    captures: evidence.promised.filter(({ kind }) => kind === 'captured').length,
    refunds: evidence.ledgers.refunds.length,
    disputes: evidence.disputes.length,
    changes: evidence.changes.length,
    deliveries: evidence.deliveries.length,
    receipts: evidence.receipts.length,
    ...Object.fromEntries(Object.entries(BROKEN).map(([name, kinds]) => [name, broken(violations, kinds)])),
    duplicates: duplicates.extraRequests,
    sentOnceMore: duplicates.sentOnceMore,
    lostLeases: duplicates.lostLeases,
    acceptedTwice: duplicates.acceptedTwice,
    slowestRecoveryFromKillMs: Math.round(Math.max(0, ...killsOf(recoveries).map(({ ms }) => ms))),
    drainMs,
    violations: violations.counts(),
  };
}
