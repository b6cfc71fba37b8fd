import type { WebhookHistory } from './history.js';
import { type Evidence, wrongDeliveries, wrongOrder, wrongSignatures } from './oracle.js';
import { wrongChanges, wrongEndpoints, wrongLists, wrongTests } from './view-oracle.js';
import { type Delivery, WebhookViews } from './views.js';
import type { Receipt } from './webhook-harness.js';

/** Disagreements of one merchant after the drain: between its own records, the receivers' and the API. */
export async function disagreements(
  history: WebhookHistory,
  counts: { merchants: number; deliveries: number; requests: number },
): Promise<string[]> {
  const views = new WebhookViews(history);
  const listed = await views.deliveries({ limit: 9 });
  const deliveries: Delivery[] = [];
  for (const { id } of listed) deliveries.push(await views.delivery(id));
  const receipts = new Map<string, Receipt[]>();
  for (const receipt of history.harness.book(history.key)) {
    const id = String(receipt.request.headers['webhook-id']);
    receipts.set(id, [...(receipts.get(id) ?? []), receipt]);
  }
  const evidence: Evidence = { deliveries, receipts };
  counts.merchants += 1;
  counts.deliveries += deliveries.length;
  counts.requests += history.harness.book(history.key).length;
  const known = new Set(deliveries.map(({ webhook_id: id }) => id));
  const unknown = [...receipts.keys()].filter((id) => !known.has(id) && !id.startsWith('test_'));
  return [
    ...history.unexpectedAnswers,
    ...unknown.map((id) => `${id} was sent, but is no delivery of the merchant`),
    ...wrongDeliveries(history, evidence),
    ...wrongOrder(evidence),
    ...wrongSignatures(history, evidence),
    ...wrongTests(history),
    ...(await wrongChanges(history, views, evidence)),
    ...(await wrongLists(history, views, listed)),
    ...(await wrongEndpoints(history, views, evidence)),
  ];
}
