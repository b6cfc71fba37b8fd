/** A difference of rates, each 0 … 1, with its interval. */
interface Difference {
  estimate: number;
  low: number;
  high: number;
}

const POINTS = new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

/** The difference in percentage points, and whether its interval lies on one side of 0. */
export function changeText({ estimate, low, high }: Difference): { text: string; isReal: boolean } {
  const points = POINTS.format(estimate * 100);
  const text = points === '0' ? '±0' : `${estimate < 0 ? '▼' : '▲'} ${points}`;
  return { text, isReal: low > 0 || high < 0 };
}
