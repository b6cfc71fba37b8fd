import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import { tracing } from '../../platform/tracing/tracing.js';
import type { ClaimedRow } from './delivery-store.js';
import type { SignedRequest } from './webhook-sender.js';
import { parsedUrl } from '../../shared/parsed-url.js';

/**
 * Sends in a trace of its own, linked to the change that the delivery tells of: attempts come up to hours later, and the
 * receiver's spans hang below, as it gets the `traceparent`, beside what is signed. All attempts of a delivery share the
 * link and `delivery.id`.
 */
export function sendTraced(
  delivery: ClaimedRow,
  request: SignedRequest,
  sender: { send(request: SignedRequest): Promise<OutboundResult> },
): Promise<OutboundResult> {
  const attributes = {
    'delivery.id': delivery.id,
    'delivery.attempt': delivery.attempts + 1,
    'webhook.id': delivery.webhook_id,
    'payment.id': delivery.payment_id,
    'shop.id': delivery.shop_id,
    'lane.id': delivery.lane_id,
    'server.address': hostOf(delivery.webhook_endpoint),
  };
  const settings = { kind: 'client', isRoot: true, links: [delivery.traceparent], attributes } as const;
  return tracing.run('webhook.attempt', settings, async (span) => {
    if (span.ids) delivery.trace = span.ids;
    const traceparent = tracing.traceparent();
    const result = await sender.send({ ...request, ...(traceparent !== undefined && { headers: { traceparent } }) });
    const { statusCode, error } = result;
    span.set({ 'http.response.status_code': statusCode });
    if (error !== null) span.fail(error);
    else if (statusCode !== null && statusCode >= 300) span.fail(String(statusCode));
    return result;
  });
}

/** The rest of an address may hold what authorises. */
const hostOf = (endpoint: string): string | undefined => parsedUrl(endpoint)?.hostname;
