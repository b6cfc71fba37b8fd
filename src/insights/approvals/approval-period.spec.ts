import { describe, expect, it } from '@jest/globals';
import { firstHourNotRolled, firstKeptDay, firstKeptHour, periodOf } from './approval-period.js';

const NOW = new Date('2026-11-25T10:20:00Z');
const at = (text: string): string => new Date(`2026-${text}:00Z`).toISOString();

describe('the period of approvals', () => {
  it.each([
    ['24 hours, without times', undefined, undefined, '11-24T11:00', '11-25T11:00', '11-23T11:00'],
    ['whole hours', '11-25T07:30', '11-25T08:30', '11-25T07:00', '11-25T09:00', '11-25T05:00'],
    ['the first hours that are known', '11-23T01:30', '11-23T03:00', '11-23T01:00', '11-23T03:00', '11-22T00:00'],
    ['whole days, of times in them', '11-20T05:00', '11-21T01:00', '11-20T00:00', '11-22T00:00', '11-18T00:00'],
    ['one whole day, of one hour', '11-20T05:00', '11-20T06:00', '11-20T00:00', '11-21T00:00', '11-19T00:00'],
    ['from a whole day to now', '11-22T23:00', undefined, '11-22T00:00', '11-25T11:00', '11-18T00:00'],
  ])('covers %s', (_, from, to, start, end, before) => {
    const given = { from: from && at(from), to: to && at(to) };
    const period = periodOf(given, NOW);
    const found = Object.values({ from: period.from, to: period.to, before: period.before });
    expect(found.map((time) => time.toISOString())).toEqual([start, end, before].map(at));
  });

  it('begins with a whole day after what is deleted, and needs no hour that is rolled', () => {
    const times = [firstKeptHour, firstKeptDay, firstHourNotRolled].map((time) => time(NOW).toISOString());
    expect(times).toEqual([at('10-21T10:00'), at('10-22T00:00'), at('11-23T00:00')]);
  });
});
