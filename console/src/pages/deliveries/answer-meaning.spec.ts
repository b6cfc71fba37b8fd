import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { OUTBOUND_ERRORS } from '../../../../src/platform/outbound/outbound-result.js';
import { errorsIn, meaningOf } from './answer-meaning';

const errors = errorsIn(readFileSync(new URL('../../../../docs/integrate/webhooks.md', import.meta.url), 'utf8'));

describe('meaningOf', () => {
  it('explains every code with the page about webhooks', () => {
    expect([...errors.keys()]).toEqual(Object.keys(OUTBOUND_ERRORS));
    expect([...errors].filter(([, { what }]) => what.length < 10)).toEqual([]);
    expect([...errors].filter(([, { toDo }]) => toDo === null).map(([code]) => code)).toEqual(['shutting_down']);
  });

  it('uses the advice of the row above where the page says "the same"', () => {
    expect(errors.get('connect_timeout')?.toDo).toBe(errors.get('connect_failed')?.toDo);
    expect(errors.get('invalid_response')?.toDo).toContain('proxies');
  });

  it.each([
    [204, 'acknowledged'],
    [302, 'redirect'],
    [401, 'signature'],
    [404, 'address'],
    [410, 'ends the delivery'],
    [418, 'refused'],
    [429, 'Retry-After'],
    [500, 'failed'],
    [503, 'Retry-After'],
  ])('explains an answer %i with "%s"', (status, text) => {
    expect(meaningOf({ status_code: status, error: null }, errors).what).toContain(text);
  });

  it('shows the name of a code that is not on the page', () => {
    const answer = { status_code: null, error: 'brand_new' as 'timeout' };
    expect(meaningOf(answer, errors)).toEqual({ what: 'no answer: brand_new', toDo: null });
  });
});
