import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import type { ChargeAnswer, ChargeRequest } from '@payment-orchestrator/provider-kit';
import type { TestApi } from '../../support/app/api-app.js';
import { dataOf, type Merchant, NOTIFICATION_SECRET, type ShopAnswer } from '../../support/app/merchant.js';

export interface AttemptAnswer {
  number: number;
  shop: { id: number; name: string };
  provider: string;
  provider_transaction_id: string | null;
  outcome: string | null;
  decline_code: string | null;
  started_at: string;
  ended_at: string | null;
}

/** A call that reached the sandbox. `answer`: `undefined` if it got none. */
export interface SandboxCall {
  paymentId: number;
  key: string;
  transactionId: string | null;
  answer?: ChargeAnswer;
}

/**
 * Adds calls of the sandbox to `calls` from now on. `before` may delay a call or make it fail; `number` is the
 * attempt's. A call without an answer fails at once.
 */
export function recordSandbox(
  api: TestApi,
  before: (request: ChargeRequest, number: number) => Promise<void> = () => Promise.resolve(),
  calls: SandboxCall[] = [],
): void {
  const sandbox = api.get(SandboxProvider);
  const charge = SandboxProvider.prototype.charge.bind(sandbox);
  sandbox.charge = async (request) => {
    const { paymentId, idempotencyKey: key, transactionId } = request;
    const call: SandboxCall = { paymentId, key, transactionId };
    calls.push(call);
    await before(request, keysOf(calls, paymentId).length);
    return (call.answer = await charge(request, AbortSignal.abort()));
  };
}

/** The keys of a payment's calls, each once: one per attempt. */
export const keysOf = (calls: SandboxCall[], paymentId: number): string[] => [
  ...new Set(calls.filter((call) => call.paymentId === paymentId).map(({ key }) => key)),
];

let made = 0;

/** Creates shops that answer every payment like the token, and a flow that tries them in this order. */
export async function aFlowOver(
  merchant: Merchant,
  tokens: string[],
  maxAttempts?: number,
): Promise<{ flow: string; flowId: number; shops: ShopAnswer[] }> {
  const flow = `failover ${++made}`;
  const shops: ShopAnswer[] = [];
  for (const token of tokens) {
    const credentials = { notification_secret: NOTIFICATION_SECRET, simulate: token };
    shops.push(await merchant.createShop(`${flow} ${shops.length + 1}`, { provider_credentials: credentials }));
  }
  const definition = {
    name: flow,
    strategy: 'priority',
    shops: shops.map(({ id }, index) => ({ shop_id: id, priority: index + 1 })),
    ...(maxAttempts !== undefined && { max_attempts: maxAttempts }),
  };
  const { id: flowId } = dataOf<{ id: number }>(await merchant.api.post('/flows', definition));
  return { flow, flowId, shops };
}

export const attemptsOf = async (merchant: Merchant, paymentId: number): Promise<AttemptAnswer[]> =>
  dataOf(await merchant.api.get(`/payments/${paymentId}/attempts`));
