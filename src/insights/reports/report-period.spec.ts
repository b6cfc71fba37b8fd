import { describe, expect, it } from '@jest/globals';
import { dayFormat, isTimeZone } from '../../shared/time-zone.js';
import { periodsOf, type ReportDays } from './report-period.js';

const days = (from: string, to: string, zone: string): ReportDays => ({ from, to, zone });
const startsOf = (given: ReportDays, interval: 'day' | 'week' | 'month' = 'day'): string[] =>
  periodsOf(given, interval).starts.map((at) => at.toISOString());

describe('the periods of a report', () => {
  it.each([
    ['UTC', '2026-11-30', ['2026-11-30T00:00:00.000Z', '2026-12-01T00:00:00.000Z']],
    // 23 and 25 hours
    ['Europe/Berlin', '2026-03-29', ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z']],
    ['Europe/Berlin', '2026-10-25', ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z']],
    ['Pacific/Auckland', '2026-04-05', ['2026-04-04T11:00:00.000Z', '2026-04-05T12:00:00.000Z']],
    ['Pacific/Auckland', '2026-09-27', ['2026-09-26T12:00:00.000Z', '2026-09-27T11:00:00.000Z']],
    // 45 minutes
    ['Asia/Kathmandu', '2026-11-30', ['2026-11-29T18:15:00.000Z', '2026-11-30T18:15:00.000Z']],
    ['Pacific/Chatham', '2026-09-27', ['2026-09-26T11:15:00.000Z', '2026-09-27T10:15:00.000Z']],
    // no midnight: the day begins at 01:00
    ['Africa/Cairo', '2026-04-24', ['2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z']],
    // midnight comes twice: clocks go back to 23:00 of the day before
    ['Africa/Cairo', '2026-10-30', ['2026-10-29T22:00:00.000Z', '2026-10-30T22:00:00.000Z']],
    // a day that did not exist
    ['Pacific/Apia', '2011-12-30', ['2011-12-30T10:00:00.000Z', '2011-12-30T10:00:00.000Z']],
    ['America/New_York', '2024-02-29', ['2024-02-29T05:00:00.000Z', '2024-03-01T05:00:00.000Z']],
  ])('%s, %s', (zone, day, starts) => {
    expect(startsOf(days(day, day, zone))).toEqual(starts);
  });

  it('begin with the first day, on Mondays, or with months', () => {
    const given = days('2026-10-30', '2026-12-01', 'Europe/Berlin');
    expect(periodsOf(given, 'month')).toEqual({
      days: ['2026-10-30', '2026-11-01', '2026-12-01'],
      starts: [
        '2026-10-29T23:00:00.000Z',
        '2026-10-31T23:00:00.000Z',
        '2026-11-30T23:00:00.000Z',
        '2026-12-01T23:00:00.000Z',
      ].map((at) => new Date(at)),
    });
    expect(periodsOf(given, 'week').days).toEqual([
      '2026-10-30',
      '2026-11-02',
      '2026-11-09',
      '2026-11-16',
      '2026-11-23',
      '2026-11-30',
    ]);
    expect(periodsOf(given, 'day').days).toHaveLength(33);
  });

  it('contain the moments of their days', () => {
    expect(dayFormat('Asia/Kathmandu')(new Date('2026-11-29T18:15:00.000Z'))).toBe('2026-11-30');
    expect(dayFormat('Asia/Kathmandu')(new Date('2026-11-29T18:14:59.999Z'))).toBe('2026-11-29');
  });

  it.each([
    ['Europe/Berlin', true],
    ['America/Argentina/Buenos_Aires', true],
    ['Etc/GMT+5', true],
    ['UTC', true],
    ['+01:00', false],
    ['Berlin', false],
    ['', false],
  ])('of the zone %j: %j', (name, isOne) => {
    expect(isTimeZone(name)).toBe(isOne);
  });
});
