import { randomUUID } from 'node:crypto';
import type { ChargeAnswer, ChargeRequest, OperationRequest, ProviderState } from '@payment-orchestrator/provider-kit';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, NOTIFICATION_SECRET, type ShopAnswer } from '../../support/app/merchant.js';

export interface LedgerEntry {
  id: string;
  reference: string;
  payment_id: number;
  shop_id: number;
  status: string;
  amount: string;
  currency: string;
  idempotency_key: string | null;
  calls: number;
}

let lastPaymentId = 1_000;

/** The shared API, and a merchant whose flow `checkout` has one shop at the sandbox. */
export async function sharedSandbox(): Promise<{ api: TestApi; merchant: Merchant }> {
  const api = await sharedApi();
  const merchant = new Merchant(await api.login());
  await merchant.createFlow('checkout', [(await merchant.createShop('A')).id]);
  return { api, merchant };
}

/** A shop at the sandbox, called through the provider port. */
export class SandboxShop {
  private constructor(
    private readonly api: TestApi,
    readonly merchant: Merchant,
    readonly shop: ShopAnswer,
    private readonly credentials: Record<string, unknown>,
  ) {}

  static async open(
    api: TestApi,
    merchant: Merchant,
    credentials: Record<string, unknown> = { notification_secret: NOTIFICATION_SECRET },
  ): Promise<SandboxShop> {
    return new SandboxShop(api, merchant, await merchant.createShop(`shop ${randomUUID()}`), credentials);
  }

  get provider(): SandboxProvider {
    return this.api.get(SandboxProvider);
  }

  /** The request of a new charge. */
  request(token?: string, fields: Partial<ChargeRequest> = {}): ChargeRequest {
    return {
      paymentId: ++lastPaymentId,
      shopId: this.shop.id,
      reference: randomUUID(),
      transactionId: null,
      credentials: this.credentials,
      idempotencyKey: randomUUID(),
      amount: '49.90',
      currency: 'EUR',
      country: 'DE',
      sessionId: 'session',
      paymentMethod: { token: token },
      returnUrl: undefined,
      customer: null,
      metadata: null,
      capture: 'automatic',
      attemptedAt: new Date(),
      notificationUrl: undefined,
      ...fields,
    };
  }

  /** Aborts after `timeoutMs`, like callers of the port. */
  charge(request: ChargeRequest, timeoutMs = 20_000): Promise<ChargeAnswer> {
    return this.provider.charge(request, AbortSignal.timeout(timeoutMs));
  }

  void(request: OperationRequest, idempotencyKey: string = randomUUID()) {
    return this.provider.void({ ...request, idempotencyKey });
  }

  refund(request: OperationRequest, fields: Partial<OperationRequest> = {}) {
    return this.provider.refund({ ...request, idempotencyKey: randomUUID(), reason: undefined, ...fields });
  }

  capture(request: OperationRequest, fields: Partial<OperationRequest> = {}) {
    const capture = { ...request, idempotencyKey: randomUUID(), ...fields };
    return this.provider.capture({ ...capture, authorizedAmount: request.amount });
  }

  lookup(request: OperationRequest): Promise<ProviderState> {
    return this.provider.lookup(request);
  }

  async statusOf(request: OperationRequest): Promise<string> {
    return (await this.lookup(request)).status;
  }

  /** The ledger's entries of the request's payment. */
  async entries({ paymentId }: { paymentId: number }): Promise<LedgerEntry[]> {
    return dataOf(await this.merchant.api.get(`/providers/sandbox/transactions?payment_id=${paymentId}`));
  }

  /** Notifications that our API has received for the shop, newest first. */
  async received(): Promise<{ notification_id: string; provider_transaction_id: string; status: string }[]> {
    return dataOf(await this.merchant.api.get(`/providers/notifications?shop_id=${this.shop.id}`));
  }
}
