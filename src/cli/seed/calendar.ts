import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/clock.js';

/** A moment at which orders come in, and its part of a day's orders. */
export interface Moment {
  at: Date;
  share: number;
}

const DAYS = 15;
const TUESDAY = 2;
const THURSDAY = 4;

/** The hours (UTC) at which orders come in, with their shares. */
const HOURS: readonly (readonly [hour: number, share: number])[] = [
  [1, 2],
  [7, 6],
  [9, 12],
  [11, 15],
  [13, 15],
  [15, 14],
  [17, 15],
  [19, 14],
  [21, 7],
];
/** Orders of a day of the week, from Sunday on. */
const WEEK = [0.8, 1, 0.95, 0.95, 1.05, 1.15, 1.1];
/** Orders of one of these hours come in parts, so that they do not have one time; few orders do not. */
const PARTS_MS = [0, 23 * MINUTE_MS, 71 * MINUTE_MS];
const SMALL = 500;
/** Very few orders all come in at one hour. */
const TINY = 100;
/** The last orders are this old when the seeding began. */
const LAST_MS = [50 * MINUTE_MS, 20 * MINUTE_MS, 5 * MINUTE_MS];
const LAST_SHARE = 3;

/** The days that end now. */
export class Calendar {
  readonly start: Date;
  /** Since then, some cards are declined more often. */
  readonly fall: Date;
  /** A shop and an endpoint were down. */
  readonly outage: { from: Date; to: Date };

  constructor(readonly now: Date) {
    const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
    this.start = new Date(today - DAYS * DAY_MS);
    this.fall = this.last(TUESDAY);
    const thursday = this.last(THURSDAY).getTime();
    this.outage = { from: new Date(thursday + 13 * HOUR_MS), to: new Date(thursday + 16 * HOUR_MS) };
  }

  /** This many days before now. */
  ago(days: number): Date {
    return new Date(this.now.getTime() - days * DAY_MS);
  }

  /** The moments of all days for so many orders, in order; their shares add up to about the number of days. */
  moments(orders: number): Moment[] {
    const parts = orders > SMALL ? PARTS_MS : [0];
    const hours = orders > TINY ? HOURS : ([[16, 100]] as const);
    const last = LAST_MS.map((ms) => ({ at: new Date(this.now.getTime() - ms), share: LAST_SHARE / 100 }));
    const moments: Moment[] = [];
    for (let day = this.start.getTime(); day < this.now.getTime(); day += DAY_MS) {
      const weekday = WEEK[new Date(day).getUTCDay()]!;
      for (const [hour, share] of hours) {
        for (const part of parts) {
          moments.push({ at: new Date(day + hour * HOUR_MS + part), share: (share / 100 / parts.length) * weekday });
        }
      }
    }
    return [...moments.filter(({ at }) => at < last[0]!.at), ...last];
  }

  /** The beginning of the last such day of the week (UTC) that ended a day ago or earlier. */
  private last(weekday: number): Date {
    const yesterday = Math.floor(this.now.getTime() / DAY_MS) * DAY_MS - DAY_MS;
    const back = (new Date(yesterday).getUTCDay() - weekday + 7) % 7;
    return new Date(yesterday - back * DAY_MS);
  }
}
