import type { Schema } from '@payment-orchestrator/client';

export const STATUSES = [
  'open',
  'under_review',
  'won',
  'lost',
  'accepted',
] as const satisfies Schema<'DisputeStatus'>[];

/** The search parameters of the page's URL, with the names of `GET /disputes`. */
export interface DisputeSearch {
  status?: Schema<'DisputeStatus'>;
  shop_id?: number;
  due_from?: string;
  due_before?: string;
}

/** Removes unknown and invalid parameters. */
export function validDisputeSearch(search: Record<string, unknown>): DisputeSearch {
  const status = STATUSES.find((each) => each === search['status']);
  const shopId = Number(search['shop_id']);
  const [dueFrom, dueBefore] = [timeOf(search['due_from']), timeOf(search['due_before'])];
  return {
    ...(status && { status }),
    ...(Number.isSafeInteger(shopId) && shopId > 0 && { shop_id: shopId }),
    ...(dueFrom && { due_from: dueFrom }),
    ...(dueBefore && { due_before: dueBefore }),
  };
}

function timeOf(value: unknown): string | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** How long before the end of the time for evidence a dispute is shown as work, as text of a time of the API. */
const SOON_DAYS = 7;
export const DUE_SOON = `the next ${SOON_DAYS} days`;
export const dueSoon = (now: number): string => new Date(now + SOON_DAYS * 86_400_000).toISOString();
