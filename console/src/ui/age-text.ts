const UNITS: [name: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** The age of a time in its largest unit, such as `3 min`; `0 s` for a time in the future. */
export function ageText(at: string, now: number): string {
  const ms = Math.max(0, now - Date.parse(at));
  const [name, unit] = UNITS.find(([, length]) => ms >= length) ?? UNITS.at(-1)!;
  return `${Math.floor(ms / unit)} ${name}`;
}
