const ONE_DECIMAL = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
/** Shares closer to 0 % or 100 % than this would be rounded to these. */
const MIN_DISTANCE = 0.1;

/** Formats a share of 1 in percent, with one decimal. `100 %` and `0 %` are shown only for exactly 1 and 0. */
export function percentText(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < MIN_DISTANCE) return `< ${MIN_DISTANCE} %`;
  if (percent < 100 && percent > 100 - MIN_DISTANCE) return `> ${100 - MIN_DISTANCE} %`;
  return `${ONE_DECIMAL.format(percent)} %`;
}
