import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import type { CaseRequest } from './case-signer.js';
import type { ConformanceCase, Expectation } from './conformance-cases.js';

export interface CaseResult {
  name: string;
  passed: boolean;
  sent: string;
  expected: string;
  got: string;
  /** `null` if the case passed. */
  advice: string | null;
  /** Behaviour that the answers to a passed case do not show. */
  unproven: string | null;
}

/** Already Reported (RFC 5842 §7.1): a receiver may answer with it to show that it dropped an event. Any 2xx acknowledges. */
const ALREADY_REPORTED = 208;

const EXPECTED: Record<Expectation, (timeoutMs: number) => string> = {
  accepts: (timeoutMs) => `a 2xx within ${timeoutMs / 1_000} s`,
  refuses: () => 'a 4xx, such as 401',
};

export const isAcknowledged = ({ statusCode }: OutboundResult): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300;

/** Returns the result of a case from the answers to its requests. */
export function judge(
  { name, sent, expectation, advice, unproven }: ConformanceCase,
  requests: readonly CaseRequest[],
  answers: readonly OutboundResult[],
  timeoutMs: number,
): CaseResult {
  const wrong = answers.find((answer) => !isRight(expectation, answer));
  const isShown = wrong !== undefined || answers.at(-1)!.statusCode === ALREADY_REPORTED;
  return {
    name,
    passed: wrong === undefined,
    sent,
    expected: EXPECTED[expectation](timeoutMs),
    got: answers.map(describe).join(', then '),
    advice: wrong === undefined ? null : (generalAdvice(expectation, wrong, timeoutMs) ?? advice),
    unproven: isShown || !unproven ? null : unproven(requests),
  };
}

/** Returns the result of a case that was not sent. */
export const notSent = ({ name, sent }: ConformanceCase, isUnanswered: boolean): CaseResult => ({
  name,
  passed: false,
  sent,
  expected: 'to be sent',
  got: 'not sent',
  advice: isUnanswered
    ? 'The genuine webhook got no answer: fix that first.'
    : 'The run took too long: answer faster and run it again.',
  unproven: null,
});

function isRight(expectation: Expectation, answer: OutboundResult): boolean {
  const { statusCode } = answer;
  if (expectation === 'accepts') return isAcknowledged(answer);
  return statusCode !== null && statusCode >= 400 && statusCode < 500;
}

const describe = ({ statusCode, error, errorMessage, durationMs }: OutboundResult): string =>
  statusCode === null
    ? `no answer in ${Math.round(durationMs)} ms: ${error}${errorMessage ? `, ${errorMessage}` : ''}`
    : `${statusCode} in ${Math.round(durationMs)} ms`;

/** Returns advice for failures that do not depend on the case. `undefined`: the advice of the case applies. */
function generalAdvice(
  expectation: Expectation,
  { statusCode, error }: OutboundResult,
  timeoutMs: number,
): string | undefined {
  if (error === 'timeout') {
    return `Answer within ${timeoutMs / 1_000} s: put the event into your own queue, acknowledge it, and process it afterwards.`;
  }
  if (statusCode === null) return `The request got no answer: ${error}. See docs/integrate/webhooks.md.`;
  if (statusCode >= 300 && statusCode < 400) return 'Redirects are not followed: register the final address.';
  if (statusCode >= 500) {
    const wanted = expectation === 'refuses' ? 'Refuse it with 401' : 'Acknowledge it with 200';
    return `The receiver failed. ${wanted}: after a 5xx the service sends a webhook again.`;
  }
  return undefined;
}
