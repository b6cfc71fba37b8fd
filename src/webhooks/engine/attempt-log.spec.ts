import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { OutboundErrorCode } from '../../platform/outbound/outbound-result.js';
import { logAttempt, outcomeOf } from './attempt-log.js';
import type { ClaimedRow } from './delivery-store.js';
import type { NextStep } from './retry-schedule.js';

const DELIVERY = { id: 1, attempts: 2, webhook_endpoint: 'http://shop.example/hooks' } as ClaimedRow;

/** An attempt without an answer if there is an error, and its next step. */
function attempt(next: NextStep, statusCode: number | null, error: OutboundErrorCode | null = null) {
  const result = { statusCode, error, startedAt: new Date(0), durationMs: 7, retryAfter: null };
  return { delivery: DELIVERY, result: { ...result, responseBody: Buffer.alloc(0) }, next };
}

const RETRY: NextStep = { status: 'pending', waitMs: 60_000 };
const ENDED = [
  ['delivered', attempt({ status: 'delivered' }, 200)],
  ['rejected', attempt(RETRY, 500)],
  ['rejected', attempt({ status: 'failed' }, 410)],
  ['timeout', attempt(RETRY, null, 'timeout')],
] as const;

describe('the log of an attempt', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each(ENDED)('counts it as %s', (outcome, ended) => {
    expect(outcomeOf(ended)).toBe(outcome);
  });

  it('names its number, and an error only if there was no answer', () => {
    const log = jest.spyOn(Logger.prototype, 'log').mockReturnValue();
    logAttempt(attempt(RETRY, 500), true);
    logAttempt(attempt(RETRY, null, 'timeout'), true);
    const lines = log.mock.calls.map(([line]) => line as Record<string, unknown>);
    expect(lines[0]).toMatchObject({ attempt: 3, status: 'pending', statusCode: 500, nextAttemptInMs: 60_000 });
    expect(lines[0]).not.toHaveProperty('error');
    expect(lines[1]).toMatchObject({ attempt: 3, statusCode: null, error: 'timeout' });
  });

  it('warns of a delivery that failed for good, with its outcome', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    logAttempt(attempt({ status: 'failed' }, 410), true);
    expect(warn.mock.calls).toMatchObject([[{ status: 'failed', code: 'rejected', origin: 'http://shop.example' }]]);
  });
});
