import type { Schema } from '@payment-orchestrator/client';
import { segmentWords } from '@payment-orchestrator/routing/words/value-words';
import { percentText } from './percent';

type Segment = NonNullable<Schema<'SuccessRateReasoning'>['segment']>;

/** The payment's values of the fields by which shops are compared: `card scheme visa, country unknown`. */
export const segmentText = ({ values }: Segment): string =>
  Object.entries(values)
    .map(([field, value]) => `${segmentWords(field)} ${value ?? 'unknown'}`)
    .join(', ');

/** The approvals of each shop in the segment, or in the coarser one that decided: `Paris 90 % of 20 (card scheme)`. */
export function segmentRates({ values, rates }: Segment, nameOf: (shopId: number) => string): string {
  const fields = Object.keys(values).map(segmentWords);
  return rates
    .map(([shopId = 0, level = 0, approved = 0, others = 0]) => {
      const outcomes = approved + others;
      const share = outcomes > 0 ? `${percentText(approved / outcomes)} of ${Math.round(outcomes)}` : 'no results';
      return `${nameOf(shopId)} ${share} (${level === 0 ? 'all payments' : fields.slice(0, level).join(', ')})`;
    })
    .join('; ');
}
