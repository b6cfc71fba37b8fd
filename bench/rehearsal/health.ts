import { setTimeout as delay } from 'node:timers/promises';
import { readiness } from '../../src/cli/demo/managed-process.js';
import { STEADY } from '../chaos/receivers.js';
import type { RehearsalHarness } from './harness.js';

const HEALTHY_TIMEOUT_MS = 120_000;
const POLL_MS = 250;
/** Everything must have been healthy for this long. */
const QUIET_MS = 3_000;
/** Payments that must be answered in this time. */
const LEAST_PAYMENTS = 5;
/** Time limit of an answer, and of a webhook to a receiver that answers at once. */
export const LATE_MS = 2_000;

/**
 * Resolves when payments are answered, webhooks are delivered and every process is ready; after the time limit, to the
 * problem.
 */
export async function waitUntilHealthy(harness: RehearsalHarness): Promise<string | undefined> {
  let problem: string | undefined = 'not checked yet';
  for (const deadline = Date.now() + HEALTHY_TIMEOUT_MS; Date.now() < deadline; await delay(POLL_MS)) {
    problem = await findProblem(harness).catch((error: unknown) => String(error));
    if (problem === undefined) return undefined;
  }
  return problem;
}

async function findProblem(harness: RehearsalHarness): Promise<string | undefined> {
  const since = Date.now() - QUIET_MS;
  const recent = harness.journal.filter(({ name, startedAt }) => name === 'create' && startedAt >= since);
  const failed = recent.find((record) => !isAnswered(record.answer));
  if (failed) return `POST /payments answers ${failed.answer}`;
  if (recent.length < LEAST_PAYMENTS) return `${recent.length} payments answered in ${QUIET_MS} ms`;
  const late = await lateDeliveries(harness);
  if (late > 0) return `${late} webhooks of healthy receivers are late`;
  const statuses = await Promise.all(
    harness.fleet.all.map(async ({ slot, url }) => ({ slot, status: await readiness(url) })),
  );
  const unready = statuses.filter(({ status }) => status !== 200);
  return unready.length > 0 ? `not ready: ${unready.map(({ slot }) => slot).join(', ')}` : undefined;
}

/** 409: the same request is still in progress, or its result was returned to the first one. */
export const isAnswered = (answer: string): boolean => /^(20\d|409)/.test(answer);

async function lateDeliveries({ databases, deliveries, endpoints }: RehearsalHarness): Promise<number> {
  const [row] = await databases.query<{ late: number }>(
    `SELECT count(*) AS late FROM ${deliveries.all} d
     WHERE status = 'pending' AND webhook_endpoint = ANY ($1) AND created_at < now() - $2 * interval '1 ms'`,
    [STEADY.map((receiver) => endpoints[receiver]), LATE_MS],
  );
  return row!.late;
}
