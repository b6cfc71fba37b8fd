const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60)';
const FORMS = [
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT`,
  `(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} GMT`,
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} (?<day>\\d{2}| \\d) ${TIME} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/**
 * Parses an HTTP date: one of the three formats of RFC 9110 §5.6.7, all in UTC. Returns `undefined` for anything else.
 * Why not `Date.parse`: it reads asctime in the process's time zone, and accepts a word with a number as a date.
 */
export function parseHttpDate(text: string, now: Date): Date | undefined {
  for (const form of FORMS) {
    const groups = form.exec(text)?.groups;
    if (groups) return dateOf(groups, now);
  }
  return undefined;
}

function dateOf(groups: Record<string, string>, now: Date): Date | undefined {
  const [year, day, hour, minute, second] = ['year', 'day', 'hour', 'minute', 'second'].map((name) =>
    Number(groups[name]),
  );
  const month = MONTHS.indexOf(groups['month']!);
  const at = (fullYear: number): Date => new Date(Date.UTC(fullYear, month, day, hour, minute, second));
  const isShort = groups['year']!.length === 2;
  const thisYear = now.getUTCFullYear();
  let fullYear = isShort ? thisYear - (thisYear % 100) + year! : year!;
  // a two-digit year that would be more than 50 years ahead belongs to the previous century
  if (isShort && at(fullYear) > yearsAfter(now, 50)) fullYear -= 100;
  // Date.UTC would move a day that the month does not have into the next month
  return day! >= 1 && day! <= daysOf(fullYear, month) ? at(fullYear) : undefined;
}

function yearsAfter(time: Date, years: number): Date {
  const later = new Date(time);
  later.setUTCFullYear(time.getUTCFullYear() + years);
  return later;
}

const daysOf = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
