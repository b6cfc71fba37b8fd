const DAY_MS = 24 * 3_600_000;

/**
 * The first moment of a day. A zone may change its offset in the night: the offsets of the day before and of the day after
 * give two candidates, and the earlier one that is on the day is right. Midnight itself may not exist.
 */
export function startOfDay(day: string, zone: string): Date {
  const midnight = Date.parse(day);
  const candidates = [-DAY_MS, DAY_MS].map((ms) => midnight - offsetAt(midnight + ms, zone)).sort((a, b) => a - b);
  const format = dayFormat(zone);
  return new Date(candidates.find((ms) => format(new Date(ms)) >= day) ?? candidates.at(-1)!);
}

/** The milliseconds by which clocks in the zone are ahead of UTC. */
function offsetAt(ms: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(ms);
  const name = parts.find(({ type }) => type === 'timeZoneName')!.value;
  const [, sign, hours, minutes, seconds = '0'] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? [
    '',
    '+',
    '0',
    '0',
  ];
  return (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
}

/** The day of a moment in the zone, as text. */
export function dayFormat(zone: string): (at: Date) => string {
  // Sweden writes dates as ISO 8601 does
  const format = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' });
  return (at) => format.format(at);
}

/** Whether the name is that of an IANA time zone. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
