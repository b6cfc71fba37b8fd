import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import type { CaseRequest } from './case-signer.js';
import type { ConformanceCase, Expectation } from './conformance-cases.js';

export interface CaseResult {
  name: string;
  passed: boolean;
  sent: string;
  expected: string;
  got: string;
  /** `null` when it passed. */
  advice: string | null;
  /** What the answers do not show of a case that passed. */
  unproven: string | null;
}

/** Already Reported (RFC 5842 §7.1): what a receiver may answer to show that it dropped an event. Any 2xx acknowledges. */
const ALREADY_REPORTED = 208;

const EXPECTED: Record<Expectation, (timeoutMs: number) => string> = {
  accepts: (timeoutMs) => `a 2xx within ${timeoutMs / 1_000} s`,
  refuses: () => 'a 4xx, such as 401',
};

export const isAcknowledged = ({ statusCode }: OutboundResult): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode < 300;

/** What the answers to the requests of a case say about the receiver. */
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

/** The run was over before it. */
export const notSent = ({ name, sent }: ConformanceCase, isUnanswered: boolean): CaseResult => ({
  name,
  passed: false,
  sent,
  expected: 'to be sent',
  got: 'not sent',
  advice: isUnanswered
    ? 'The genuine webhook got no answer: see to that first.'
    : 'The run took too long: answer faster, and run it again.',
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

/** For what is wrong whatever was sent; `undefined`: the case knows better. */
function generalAdvice(
  expectation: Expectation,
  { statusCode, error }: OutboundResult,
  timeoutMs: number,
): string | undefined {
  if (error === 'timeout') {
    return `Answer within ${timeoutMs / 1_000} s: put the event into a queue of your own, acknowledge it, and work later.`;
  }
  if (statusCode === null) return `The request got no answer: ${error}. docs/integrate/webhooks.md says what to do.`;
  if (statusCode >= 300 && statusCode < 400) return 'Redirects are not followed: give the address that answers itself.';
  if (statusCode >= 500) {
    const wanted = expectation === 'refuses' ? 'Refuse it with 401' : 'Acknowledge it with 200';
    return `The receiver failed. ${wanted}: what is answered with a 5xx is sent again.`;
  }
  return undefined;
}
