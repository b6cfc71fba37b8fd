import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { OUTBOUND_ERRORS } from '../../../../src/platform/outbound/outbound-result.js';
import { errorsIn, meaningOf } from './answer-meaning';

const errors = errorsIn(readFileSync(new URL('../../../../docs/integrate/webhooks.md', import.meta.url), 'utf8'));

describe('what an attempt means', () => {
  it('is known for every code, from the page about them', () => {
    expect([...errors.keys()]).toEqual(Object.keys(OUTBOUND_ERRORS));
    expect([...errors].filter(([, { what }]) => what.length < 10)).toEqual([]);
    expect([...errors].filter(([, { toDo }]) => toDo === null).map(([code]) => code)).toEqual(['shutting_down']);
  });

  it('takes the advice of the row above where the page says "the same"', () => {
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
  ])('tells of an answer %i that it is: %s', (status, words) => {
    expect(meaningOf({ status_code: status, error: null }, errors).what).toContain(words);
  });

  it('names a code that the page does not know', () => {
    const answer = { status_code: null, error: 'brand_new' as 'timeout' };
    expect(meaningOf(answer, errors)).toEqual({ what: 'no answer: brand_new', toDo: null });
  });
});
