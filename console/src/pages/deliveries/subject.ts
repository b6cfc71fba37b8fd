import type { Schema } from '@payment-orchestrator/client';

/** The object that an event is about, by its type in the API. */
interface Subject {
  type: string;
  id: number;
  text: string;
}

/** Members of an event's data that name an object, with the object's type and a member with its name. */
const MEMBERS: readonly (readonly [member: string, type: string, name: string])[] = [
  ['flow_id', 'flow', 'flow_name'],
  ['endpoint_id', 'endpoint', 'webhook_endpoint'],
];

/** The payment, otherwise the flow or endpoint that the body names, otherwise the shop; `undefined`: none of them. */
export function subjectOf(
  delivery: Pick<Schema<'DeliveryDetail'>, 'payment_id' | 'shop_id' | 'request_body'>,
): Subject | undefined {
  const { payment_id: payment, shop_id: shop } = delivery;
  if (payment !== null) return { type: 'payment', id: payment, text: `Payment ${payment}` };
  const data = dataOf(delivery.request_body);
  for (const [member, type, name] of MEMBERS) {
    const [id, text] = [data[member], data[name]];
    if (typeof id === 'number') return { type, id, text: `${type} ${textOf(text, id)}` };
  }
  return shop === null ? undefined : { type: 'shop', id: shop, text: `shop ${textOf(data['shop_name'], shop)}` };
}

const textOf = (name: unknown, id: number): string => (typeof name === 'string' ? name : String(id));

/** The event's data; empty for a body that is no JSON of ours, such as a chat message. */
function dataOf(body: string): Record<string, unknown> {
  try {
    const { data } = JSON.parse(body) as { data?: Record<string, unknown> };
    return data ?? {};
  } catch {
    return {};
  }
}
