const ONE_DECIMAL = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
/** What is nearer to all or to nothing than this would be rounded to it. */
const LEAST = 0.1;

/** A share of 1 in percent, rounded to one decimal. `100 %` and `0 %` stand only for all and for nothing. */
export function percentText(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < LEAST) return `< ${LEAST} %`;
  if (percent < 100 && percent > 100 - LEAST) return `> ${100 - LEAST} %`;
  return `${ONE_DECIMAL.format(percent)} %`;
}
