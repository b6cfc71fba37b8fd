const UNITS: [name: string, ms: number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** A length of time in its largest unit, such as `2 days`; at least a minute. */
export function spanText(ms: number): string {
  const [name, unit] = UNITS.find(([, length]) => ms >= length) ?? UNITS.at(-1)!;
  const count = Math.max(1, Math.floor(ms / unit));
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
