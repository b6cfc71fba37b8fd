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

/** In a sentence. */
export function verdictOf({ findings, losses }: RehearsalResult): string {
  if (findings.count > 0) return `${findings.count} violations.`;
  if (losses.length === 0) return 'Nothing was lost.';
  return `Nothing was lost but what the old backup lacks (${losses.map(lostLine).join('; ')}): each of their charges was found and given back.`;
}

/** What must be nought, and what there was of everything. */
function facts({ evidence, judgement, losses, findings, drainMs, tookMs }: RehearsalResult): [string, string][] {
  const { ledger, duplicates } = judgement;
  const retried = evidence.deliveries.filter(({ attempts }) => attempts > 1).length;
  const failed = evidence.deliveries.filter(({ status }) => status === 'failed').length;
  return [
    ['payments', String(evidence.payments.length)],
    ['promises kept to clients', String(evidence.promised.length)],
    ['deliveries', `${evidence.deliveries.length}, ${retried} retried, ${failed} failed by the rules`],
    ['requests received, each with its signature verified', String(evidence.receipts.length)],
    ['sent again', `${duplicates.extraRequests}, ${duplicates.acceptedTwice} of them accepted twice`],
    ['operations at the provider', `${ledger.operations}, ${ledger.recovered} of them brought to an end by recovery`],
    ...losses.map((loss): [string, string] => ['not in the old backup', lostLine(loss)]),
    ['disagreements with the provider', String(ledger.disagreements.length)],
    ['violations', String(findings.count)],
    ['at rest after', seconds(drainMs)],
    ['the whole run', seconds(tookMs)],
  ];
}

/** For people, in the terminal. */
export function printReport(result: RehearsalResult): void {
  console.log(`\n${formatTable(HEAD, result.steps.map(cells))}`);
  for (const line of result.steps.flatMap(errorLine)) console.log(`  errors seen by clients: ${line}`);
  console.log(
    `\n${formatTable(
      ['', ''],
      facts(result).map((fact) => [...fact]),
    )}`,
  );
  for (const line of result.findings.lines()) console.log(line);
}

/** For machines. */
export function summary({ args, steps, evidence, judgement, losses, findings, ...rest }: RehearsalResult): object {
  const { ledger, duplicates } = judgement;
  return {
    ok: findings.count === 0,
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
    violations: findings.counts(),
  };
}

/** For `docs`. */
export function markdown(result: RehearsalResult, machine: string): string {
  const { args, steps, startedAt, findings } = result;
  const table = (rows: string[][]): string => rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
  const rule = (columns: number): string[] => Array<string>(columns).fill('---');
  return `# The last rehearsal

Written by \`npm run rehearse -- --report\`; how it is done: [bench/README.md](../bench/README.md#the-rehearsal).

${new Date(startedAt).toISOString().slice(0, 10)}, seed ${args.seed}, ${infrastructure(result)}, ${args.apis} API and ${args.workers} worker processes, ${args.rate} payments per second, on ${machine}. **${verdictOf(result)}**

${table([HEAD, rule(HEAD.length), ...steps.map(cells)])}

*done after*: until what was to be done was done. *payments again*: from the beginning until the last payment that was refused, broken off or slower than 2 s had been followed by one that was answered; – where none was. *webhooks again*: until the last webhook that took more than 2 s had arrived at a receiver that is well. *errors*: answers to clients of all kinds of calls; the load repeats all but payments without an \`Idempotency-Key\`.

${bullets(steps.flatMap(errorLine)) || 'No client saw an error.'}

${table([['', ''], rule(2), ...facts(result)])}

## What was done

${steps.map(chronicle).join('\n\n')}
${findings.count > 0 ? `\n## What was broken\n\n\`\`\`\n${findings.lines().join('\n')}\n\`\`\`\n` : ''}`;
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
