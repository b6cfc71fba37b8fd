import { formatTable } from '../support/report.js';
import type { Loss } from './loss.js';
import type { RehearsalResult } from './rehearsal.js';

const seconds = (ms: number): string =>
  ms === 0 ? '–' : Number.isFinite(ms) ? `${(ms / 1_000).toFixed(1)} s` : 'never';

const HEAD = ['step', 'done after', 'payments again', 'longest gap', 'webhooks again', 'slowest webhook', 'errors'];

type StepResult = RehearsalResult['steps'][number];

function cells({ step, from, doneAt, timings }: StepResult): string[] {
  const errors = Object.values(timings.errors).reduce((sum, count) => sum + count, 0);
  return [
    step.title,
    seconds(doneAt - from),
    seconds(timings.paymentsMs),
    seconds(timings.longestGapMs),
    seconds(timings.webhooksMs),
    seconds(timings.slowestWebhookMs),
    String(errors),
  ];
}

const errorLine = ({ step, timings }: StepResult): string[] => {
  const listed = Object.entries(timings.errors).map(([answer, count]) => `${answer} ×${count}`);
  return listed.length > 0 ? [`${step.title}: ${listed.join(', ')}`] : [];
};

const lostLine = ({ payments, changes }: Loss): string =>
  `${payments.size} payments, ${changes.size} changes of status`;

/** One sentence. */
export function verdictOf({ violations, losses }: RehearsalResult): string {
  if (violations.count > 0) return `${violations.count} violations.`;
  if (losses.length === 0) return 'Nothing was lost.';
  return `Nothing was lost except data that the old backup lacks (${losses.map(lostLine).join('; ')}): each of their charges was found and given back.`;
}

/** The figures of the run; violations and disagreements must be zero. */
function facts({ evidence, judgement, losses, violations, drainMs, tookMs }: RehearsalResult): [string, string][] {
  const { ledger, duplicates } = judgement;
  const retried = evidence.deliveries.filter(({ attempts }) => attempts > 1).length;
  const failed = evidence.deliveries.filter(({ status }) => status === 'failed').length;
  return [
    ['payments', String(evidence.payments.length)],
    ['promises kept to clients', String(evidence.promised.length)],
    ['deliveries', `${evidence.deliveries.length}, ${retried} retried, ${failed} failed by the rules`],
    ['requests received, each with its signature verified', String(evidence.receipts.length)],
    ['sent again', `${duplicates.extraRequests}, ${duplicates.acceptedTwice} of them accepted twice`],
    ['operations at the provider', `${ledger.operations}, ${ledger.recovered} of them completed by recovery`],
    ...losses.map((loss): [string, string] => ['not in the old backup', lostLine(loss)]),
    ['disagreements with the provider', String(ledger.disagreements.length)],
    ['violations', String(violations.count)],
    ['drained after', seconds(drainMs)],
    ['the whole run', seconds(tookMs)],
  ];
}

/** For a person, in the terminal. */
export function printReport(result: RehearsalResult): void {
  console.log(`\n${formatTable(HEAD, result.steps.map(cells))}`);
  for (const line of result.steps.flatMap(errorLine)) console.log(`  errors seen by clients: ${line}`);
  console.log(
    `\n${formatTable(
      ['', ''],
      facts(result).map((fact) => [...fact]),
    )}`,
  );
  for (const line of result.violations.lines()) console.log(line);
}

/** For `--json`. */
export function summary({ args, steps, evidence, judgement, losses, violations, ...rest }: RehearsalResult): object {
  const { ledger, duplicates } = judgement;
  return {
    ok: violations.count === 0,
    seed: args.seed,
    redis: args.redis,
    postgres: args.postgres,
    tookMs: rest.tookMs,
    drainMs: rest.drainMs,
    steps: steps.map(({ step, from, doneAt, healthyAt, timings, failure }) => ({
      step: step.key,
      doneMs: doneAt - from,
      healthyMs: healthyAt - from,
      ...timings,
      ...(failure !== undefined && { failure }),
    })),
    payments: evidence.payments.length,
    promises: evidence.promised.length,
    deliveries: evidence.deliveries.length,
    receipts: evidence.receipts.length,
    duplicates: duplicates.extraRequests,
    operations: ledger.operations,
    recovered: ledger.recovered,
    disagreements: ledger.disagreements.length,
    lostPayments: losses.reduce((sum, { payments }) => sum + payments.size, 0),
    violations: violations.counts(),
  };
}

/** For `docs`. */
export function markdown(result: RehearsalResult, machine: string): string {
  const { args, steps, startedAt, violations } = result;
  const table = (rows: string[][]): string => rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
  const rule = (columns: number): string[] => Array<string>(columns).fill('---');
  return `# The last rehearsal

Written by \`npm run rehearse -- --report\`; how it works: [bench/README.md](../README.md#the-rehearsal).

${new Date(startedAt).toISOString().slice(0, 10)}, seed ${args.seed}, ${infrastructure(result)}, ${args.apis} API and ${args.workers} worker processes, ${args.rate} payments per second, on ${machine}. **${verdictOf(result)}**

${table([HEAD, rule(HEAD.length), ...steps.map(cells)])}

*done after*: duration of the step itself. *payments again*: from the beginning of the step until the first success after the last payment that failed or took more than 2 s; – if there was none. *webhooks again*: until the last webhook that took more than 2 s arrived at a healthy receiver. *errors*: failed calls of all kinds; the load repeats all of them except payments without an \`Idempotency-Key\`.

${bullets(steps.flatMap(errorLine)) || 'No client saw an error.'}

${table([['', ''], rule(2), ...facts(result)])}

## What was done

${steps.map(chronicle).join('\n\n')}
${violations.count > 0 ? `\n## Violations\n\n\`\`\`\n${violations.lines().join('\n')}\n\`\`\`\n` : ''}`;
}

const bullets = (lines: string[]): string => lines.map((line) => `- ${line}`).join('\n');

const chronicle = ({ step, lines }: StepResult): string =>
  `${step.title}:\n\n${bullets(lines.map(({ atMs, text }) => `${seconds(atMs)}: ${text}`))}`;

const SERVERS = {
  cluster: 'a Redis Cluster of three masters with a replica each',
  sentinel: 'a Redis master with a replica and three sentinels',
  replicated: 'a PostgreSQL primary with a streaming standby behind PgBouncer in transaction mode',
};

function infrastructure({ args: { redis, postgres } }: RehearsalResult): string {
  const queue = redis === 'single' ? 'one Redis' : SERVERS[redis];
  return `${queue}, ${postgres === 'single' ? 'one PostgreSQL' : SERVERS[postgres]}`;
}
