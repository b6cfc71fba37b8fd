import { describe, expect, it } from '@jest/globals';
import { ConnectionError, ProblemError, UnexpectedAnswerError } from '@payment-orchestrator/client';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ProblemNotice } from './problem-notice';

/** The notice's text. */
const textOf = (error: unknown, retry?: () => void): string =>
  renderToStaticMarkup(createElement(ProblemNotice, { error, ...(retry && { retry }) }))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

const problem = {
  type: 'urn:problem:validation_failed',
  title: 'The request is not valid',
  status: 422,
  success: false as const,
  code: 'validation_failed' as const,
  request_id: 'req-of-the-test',
  errors: [
    { field: 'amount', code: 'isPositive', message: 'must be greater than 0' },
    { field: 'currency', code: 'isCurrency', message: 'must be a currency' },
  ],
};
const refusal = (body: typeof problem & { detail?: string }): ProblemError =>
  new ProblemError(body, new Response(null, { status: body.status }));

describe('ProblemNotice', () => {
  it('shows an alert, and nothing without an error', () => {
    const html = renderToStaticMarkup(createElement(ProblemNotice, { error: new Error('unknown') }));
    expect(html).toMatch(/^<div class="notice notice-bad" role="alert">/);
    expect(textOf(undefined)).toBe('');
  });

  it.each<[string, unknown, string]>([
    [
      'the fields, the code and the request of a refusal',
      refusal(problem),
      'The request is not valid amount must be greater than 0 currency must be a currency validation_failed · request req-of-the-test',
    ],
    [
      'the detail of a refusal',
      refusal({ ...problem, detail: 'see the fields', errors: [] }),
      'The request is not valid : see the fields validation_failed · request req-of-the-test',
    ],
    [
      'that a read got no answer',
      new ConnectionError('GET /shops', 1, new Error('refused')),
      'The service does not answer. It may be stopped or restarting, or your network may be down.',
    ],
    [
      'that the effect of a write without an answer is unknown',
      new ConnectionError('POST /shops', 1, new Error('refused')),
      'The service does not answer. Your change may or may not have been saved. Check before you try again.',
    ],
    [
      'that something else answered',
      new UnexpectedAnswerError(502, 'no such host'),
      'The service cannot be reached. A proxy or another program answered instead, with status 502.',
    ],
    ['the message of another error', new Error('unknown'), 'unknown'],
    ['a thrown text', 'unknown', 'unknown'],
  ])('says %s', (_, error, text) => {
    expect(textOf(error)).toBe(text);
  });

  it('lets the user try again if the caller can', () => {
    expect(textOf('unknown', () => undefined)).toBe('unknown Try again');
  });
});
