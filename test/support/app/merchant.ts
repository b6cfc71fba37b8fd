import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type ApiClient, type ApiResponse, served } from './api-client.js';

export interface ShopAnswer {
  id: number;
  name: string;
  webhook_secret: string;
}

export interface PaymentAnswer {
  id: number;
  status: string;
  amount: number;
  currency: string;
  flow_id: number;
  payment_session_id: string;
  provider_transaction_id: string;
  payment_provider: string;
  created_at: string;
  updated_at: string;
  expires_at: string;
  amount_authorized: number;
  amount_captured: number;
  amount_refunded: number;
  capture: string;
  capture_before: string | null;
  shop: { id: number; name: string };
  customer: Record<string, unknown> | null;
  metadata: Record<string, unknown>;
  provider_metadata: Record<string, unknown>;
  webhook_endpoint: string | null;
  next_action: { type: string; url: string; method: string; provider?: string; data?: Record<string, string> } | null;
  charged_after_end: boolean;
  refund_pending: boolean;
  capture_pending: boolean;
}

export const NOTIFICATION_SECRET = 'notification-secret-of-the-tests';

/** `data` of a successful answer; otherwise the test fails with the whole answer. */
export function dataOf<T>(response: ApiResponse): T {
  assert.ok(response.status >= 200 && response.status < 300, `${response.status} ${JSON.stringify(response.body)}`);
  return (response.body as { data: T }).data;
}

/**
 * A merchant's usual calls, with defaults. Calls that must succeed are repeated while the service is too busy; `tryPay`
 * is not.
 */
export class Merchant {
  constructor(readonly api: ApiClient) {}

  async createShop(name: string, fields: Record<string, unknown> = {}): Promise<ShopAnswer> {
    const body = { name, provider_credentials: { notification_secret: NOTIFICATION_SECRET }, ...fields };
    return dataOf(await served(() => this.api.post('/shops', body)));
  }

  /** Creates a round_robin flow with these shops. */
  async createFlow(name: string, shopIds: number[]): Promise<{ id: number; name: string }> {
    const shops = shopIds.map((shop_id) => ({ shop_id }));
    return dataOf(await served(() => this.api.post('/flows', { name, strategy: 'round_robin', shops })));
  }

  async pay(flowName: string, fields: Record<string, unknown> = {}): Promise<PaymentAnswer> {
    return dataOf(await served(() => this.tryPay(flowName, fields)));
  }

  tryPay(
    flowName: string,
    fields: Record<string, unknown> = {},
    headers?: Record<string, string>,
  ): Promise<ApiResponse> {
    return this.api.post('/payments', { flow_name: flowName, amount: 49.9, currency: 'EUR', ...fields }, headers);
  }

  async payment(id: number): Promise<PaymentAnswer> {
    return dataOf(await this.api.get(`/payments/${id}`));
  }

  async history(id: number): Promise<{ from: string; to: string; at: string; cause: string }[]> {
    return dataOf(await this.api.get(`/payments/${id}/history`));
  }

  /** Sends a notification like the sandbox. */
  notify(
    payment: PaymentAnswer,
    notification: { id: string; status: string; data?: unknown },
    secret = NOTIFICATION_SECRET,
  ) {
    const body = JSON.stringify({ provider_transaction_id: payment.provider_transaction_id, ...notification });
    return this.sendNotification(payment.shop.id, body, secret);
  }

  sendNotification(
    shopId: number,
    body: string,
    secret = NOTIFICATION_SECRET,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    return this.api.post(`/providers/sandbox/notifications/${shopId}`, body, { signature, ...headers });
  }
}
