/** An agreement of the payer about later charges without the payer. */
export const AGREEMENTS = ['subscription', 'unscheduled'] as const;

export type Agreement = (typeof AGREEMENTS)[number];
