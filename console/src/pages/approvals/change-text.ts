const POINTS = new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

/** The difference of two rates, each 0 … 1, in percentage points. */
export function changeText(difference: number): string {
  const points = POINTS.format(difference * 100);
  return points === '0' ? '±0' : `${difference < 0 ? '▼' : '▲'} ${points}`;
}
