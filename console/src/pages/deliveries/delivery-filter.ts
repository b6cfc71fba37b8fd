import type { Schema } from '@payment-orchestrator/client';

export const STATUSES = ['pending', 'delivered', 'failed'] as const satisfies Schema<'DeliveryStatus'>[];

/** The search parameters of the page's URL, with the names of `GET /webhooks/deliveries`. */
export interface DeliverySearch {
  status?: (typeof STATUSES)[number] | undefined;
  shop_id?: number | undefined;
  payment_id?: number | undefined;
  webhook_endpoint?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Removes unknown and invalid parameters. */
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

export type Redelivery = Pick<
  Schema<'Redeliver'>,
  'shop_id' | 'endpoint_id' | 'status' | 'webhook_endpoint' | 'from' | 'to'
>;

/**
 * The body of `POST /webhooks/redeliver` that sends all filtered deliveries again, or the reason why that is not possible:
 * it needs one final status, and cannot select a payment.
 */
export function redeliveryOf(search: DeliverySearch): Redelivery | { reason: string } {
  const { status, payment_id: paymentId, ...rest } = search;
  if (paymentId !== undefined) return { reason: 'For one payment, open each delivery and send it again.' };
  if (status === 'pending') return { reason: 'Pending deliveries are not finished yet.' };
  if (status === undefined) return { reason: 'Choose the status failed or delivered first.' };
  return { ...rest, status };
}

/** Describes the filter: `failed deliveries of shop Berlin to https://… created since …`. */
export function describeRedelivery(
  { shop_id: shopId, endpoint_id: endpointId, status, webhook_endpoint: endpoint, from, to }: Redelivery,
  nameOfShop: (id: number) => string,
  timeText: (time: string) => string,
): string {
  return [
    `${status ?? 'failed'} deliveries`,
    endpointId !== undefined
      ? `to endpoint ${endpointId}`
      : shopId === undefined
        ? 'of all shops'
        : `of ${nameOfShop(shopId)}`,
    ...(endpoint === undefined ? [] : [`to ${endpoint}`]),
    ...(from === undefined ? [] : [`created since ${timeText(from)}`]),
    ...(to === undefined ? [] : [`${from === undefined ? 'created ' : ''}before ${timeText(to)}`]),
  ].join(' ');
}

/** Whether the running redelivery is the requested one, apart from its shop. */
export function isSameRedelivery(running: Schema<'Redelivery'>, requested: Redelivery): boolean {
  const isSameTime = (one: string | null, other: string | undefined): boolean =>
    (one === null ? NaN : Date.parse(one)) === (other === undefined ? NaN : Date.parse(other)) ||
    (one === null && other === undefined);
  return (
    running.status === (requested.status ?? 'failed') &&
    running.endpoint_id === (requested.endpoint_id ?? null) &&
    running.webhook_endpoint === (requested.webhook_endpoint ?? null) &&
    isSameTime(running.from, requested.from) &&
    isSameTime(running.to, requested.to)
  );
}
