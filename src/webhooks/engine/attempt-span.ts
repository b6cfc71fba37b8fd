import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import { tracing } from '../../platform/tracing/tracing.js';
import type { ClaimedRow } from './delivery-store.js';
import type { SignedRequest } from '../endpoint/webhook-sender.js';
import { parsedUrl } from '../../shared/parsed-url.js';

/**
 * Sends a delivery in its own trace, because attempts may be hours after the change of the payment. The trace links to
 * the trace of that change. The receiver gets the unsigned header `traceparent`, so its spans become children. All
 * attempts of a delivery have the same link and `delivery.id`.
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
    'server.address': hostOf(request.url),
  };
  const settings = { kind: 'client', isRoot: true, links: [delivery.traceparent], attributes } as const;
  return tracing.run('webhook.attempt', settings, async (span) => {
    if (span.ids) delivery.trace = span.ids;
    const traceparent = tracing.traceparent();
    const headers = { ...request.headers, ...(traceparent !== undefined && { traceparent }) };
    const result = await sender.send({ ...request, headers });
    const { statusCode, error } = result;
    span.set({ 'http.response.status_code': statusCode });
    if (error !== null) span.fail(error);
    else if (statusCode !== null && statusCode >= 300) span.fail(String(statusCode));
    return result;
  });
}

/** Returns only the host: other parts of an address may contain credentials. */
const hostOf = (endpoint: string): string | undefined => parsedUrl(endpoint)?.hostname;
