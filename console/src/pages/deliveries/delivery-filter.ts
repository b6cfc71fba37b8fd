import type { Schema } from '@payment-orchestrator/client';

export const STATUSES = ['pending', 'delivered', 'failed'] as const satisfies Schema<'DeliveryStatus'>[];

/** The filter of the list, as it stands in the URL: by the words of `GET /webhooks/deliveries`. */
export interface DeliverySearch {
  status?: (typeof STATUSES)[number] | undefined;
  shop_id?: number | undefined;
  payment_id?: number | undefined;
  webhook_endpoint?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** What is no filter is left out. */
export function validDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  const status = STATUSES.find((each) => each === search.status);
  const filter = {
    status,
    shop_id: idOf(search.shop_id),
    payment_id: idOf(search.payment_id),
    webhook_endpoint: textOf(search.webhook_endpoint),
    from: timeOf(search.from),
    to: timeOf(search.to),
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

export const idOf = (value: unknown): number | undefined => {
  const id = typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN;
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
};
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
const timeOf = (value: unknown): string | undefined =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : undefined;

export type Redelivery = Pick<Schema<'Redeliver'>, 'shop_id' | 'status' | 'webhook_endpoint' | 'from' | 'to'>;

/**
 * What `POST /webhooks/redeliver` is asked for to send again all that the filter shows; the reason when it cannot be: it
 * takes what has ended in one way, of any payment.
 */
export function redeliveryOf(search: DeliverySearch): Redelivery | { reason: string } {
  const { status, payment_id: paymentId, ...rest } = search;
  if (paymentId !== undefined) return { reason: 'Of one payment, open the deliveries and send each again.' };
  if (status === 'pending') return { reason: 'What is pending is under way already.' };
  if (status === undefined) return { reason: 'Choose the status failed, or delivered, first.' };
  return { ...rest, status };
}

/** A sentence about what is asked for: `failed deliveries of shop Berlin to https://… created since …`. */
export function describeRedelivery(
  { shop_id: shopId, status, webhook_endpoint: endpoint, from, to }: Redelivery,
  nameOfShop: (id: number) => string,
  timeText: (time: string) => string,
): string {
  return [
    `${status ?? 'failed'} deliveries`,
    shopId === undefined ? 'of all shops' : `of ${nameOfShop(shopId)}`,
    ...(endpoint === undefined ? [] : [`to ${endpoint}`]),
    ...(from === undefined ? [] : [`created from ${timeText(from)} on`]),
    ...(to === undefined ? [] : [`${from === undefined ? 'created ' : ''}before ${timeText(to)}`]),
  ].join(' ');
}

/** Whether this request under way is the one that was asked for; of requests that differ in their shop alone, one. */
export function isSameRedelivery(underWay: Schema<'Redelivery'>, asked: Redelivery): boolean {
  const isSameTime = (one: string | null, other: string | undefined): boolean =>
    (one === null ? NaN : Date.parse(one)) === (other === undefined ? NaN : Date.parse(other)) ||
    (one === null && other === undefined);
  return (
    underWay.status === (asked.status ?? 'failed') &&
    underWay.webhook_endpoint === (asked.webhook_endpoint ?? null) &&
    isSameTime(underWay.from, asked.from) &&
    isSameTime(underWay.to, asked.to)
  );
}
