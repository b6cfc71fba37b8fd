// The effects of each step on merchants and their receivers, computed afterwards from all answers and deliveries.
import type { AnswerRecord } from '../chaos/client.js';
import { STEADY } from '../chaos/receivers.js';
import type { Evidence } from '../chaos/oracle/evidence.js';
import { isAnswered, LATE_MS } from './health.js';
import type { Step } from './steps/step.js';

/** A step that ran. Times are ms since 1970. */
export interface StepRecord {
  step: Step;
  from: number;
  /** When the step itself was done. */
  doneAt: number;
  /** When everything had been healthy for some seconds. */
  healthyAt: number;
  /** When the next step began. */
  until: number;
  /** Its log, with ms from the beginning. */
  lines: { atMs: number; text: string }[];
  /** The problem that remains, or the error of the step. */
  failure?: string;
}

/** Times in ms. */
export interface StepTimings {
  /** From the beginning until payments succeeded after the last failure; 0: none failed. */
  paymentsMs: number;
  /** The longest time without a successful payment. */
  longestGapMs: number;
  slowestAnswerMs: number;
  /**
   * From the beginning until the last late webhook arrived at a receiver that was healthy throughout; 0: none was late.
   */
  webhooksMs: number;
  slowestWebhookMs: number;
  payments: number;
  deliveries: number;
  /** Failed calls of clients: `create 503 dependency_unavailable` → count. */
  errors: Record<string, number>;
}

export function timingsOf(record: StepRecord, journal: readonly AnswerRecord[], evidence: Evidence): StepTimings {
  const answers = journal.filter(({ answeredAt }) => answeredAt >= record.from && answeredAt < record.until);
  const creates = answers.filter(({ name }) => name === 'create');
  const failed = creates.filter((one) => !isAnswered(one.answer) || tookMs(one) > LATE_MS);
  const lastFailedAt = Math.max(record.from, ...failed.map(({ answeredAt }) => answeredAt));
  const steady = evidence.deliveries
    .filter(({ receiver, created_at: at }) => STEADY.includes(receiver) && at >= record.from && at < record.until)
    .map(({ created_at: createdAt, delivered_at: deliveredAt }) => ({
      createdAt,
      deliveredAt: deliveredAt ?? Infinity,
    }));
  const late = steady.filter(({ createdAt, deliveredAt }) => deliveredAt - createdAt > LATE_MS);
  return {
    paymentsMs: failed.length > 0 ? nextSuccess(creates, lastFailedAt) - record.from : 0,
    longestGapMs: longestGap(creates, record),
    slowestAnswerMs: Math.max(0, ...creates.map(tookMs)),
    webhooksMs: Math.max(0, ...late.map(({ deliveredAt }) => deliveredAt - record.from)),
    slowestWebhookMs: Math.max(0, ...steady.map(({ createdAt, deliveredAt }) => deliveredAt - createdAt)),
    payments: creates.filter(({ answer }) => answer === '201').length,
    deliveries: steady.length,
    errors: errorsOf(answers),
  };
}

const tookMs = ({ startedAt, answeredAt }: AnswerRecord): number => answeredAt - startedAt;

function nextSuccess(creates: readonly AnswerRecord[], after: number): number {
  const at = creates.filter(({ answer, answeredAt }) => answer === '201' && answeredAt > after);
  return Math.min(...at.map(({ answeredAt }) => answeredAt));
}

function longestGap(creates: readonly AnswerRecord[], { from, until }: StepRecord): number {
  const successes = creates.filter(({ answer }) => answer === '201').map(({ answeredAt }) => answeredAt);
  const moments = [from, ...successes.sort((one, other) => one - other), until];
  return Math.max(...moments.slice(1).map((at, index) => at - moments[index]!));
}

/**
 * Refusals that the load provokes are no errors: a second cancel, or a repeated call while the first is in progress.
 */
function errorsOf(answers: readonly AnswerRecord[]): Record<string, number> {
  const errors: Record<string, number> = {};
  for (const { name, answer } of answers) {
    if (isAnswered(answer)) continue;
    errors[`${name} ${answer}`] = (errors[`${name} ${answer}`] ?? 0) + 1;
  }
  return errors;
}
