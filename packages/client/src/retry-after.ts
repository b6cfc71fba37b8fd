const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60)';
/** The three date formats of HTTP (RFC 9110 §5.6.7), all in UTC. */
const DATES = [
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT`,
  `(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} GMT`,
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} (?<day>\\d{2}| \\d) ${TIME} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/**
 * Parses `Retry-After` to a delay in ms. It must be whole seconds or a future date; anything else returns `undefined`. Not with
 * `Date.parse`, which accepts `1.5`, `-5` and words with a number as dates.
 */
export function retryAfterMs(text: string, now: number): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const ms = (dateOf(text, now) ?? now) - now;
  return ms > 0 ? ms : undefined;
}

function dateOf(text: string, now: number): number | undefined {
  for (const form of DATES) {
    const groups = form.exec(text)?.groups;
    if (!groups) continue;
    const [day, hour, minute, second] = ['day', 'hour', 'minute', 'second'].map((name) => Number(groups[name]));
    const month = MONTHS.indexOf(groups['month']!);
    const at = Date.UTC(fullYear(groups['year']!, now), month, day, hour, minute, second);
    // `Date.UTC` would convert a day that the month does not have to a day of the next month
    return day! >= 1 && day! <= daysOf(fullYear(groups['year']!, now), month) ? at : undefined;
  }
  return undefined;
}

const daysOf = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

/** A two-digit year more than 50 years in the future belongs to the century before (RFC 9110 §5.6.7). */
function fullYear(digits: string, now: number): number {
  if (digits.length > 2) return Number(digits);
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + Number(digits);
  return year > thisYear + 50 ? year - 100 : year;
}
