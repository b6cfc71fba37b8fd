// Compiled by `npm test` as a strict program of a user: checks what the client's types promise. Never run.
import { createClient, ProblemError, type Schema } from '@payment-orchestrator/client';

const client = createClient({
  baseUrl: 'http://127.0.0.1:3000',
  credentials: { clientId: 'client_1', clientSecret: 'secret_1' },
});

/** Conditions of every kind, rules and assertions; omits everything that has a default. */
const flow: Schema<'CreateFlow'> = {
  name: 'checkout',
  strategy: 'rules',
  shops: [{ shop_id: 1 }, { shop_id: 2, weight: 3, conditions: { currencies: ['EUR'], min_amount: 0.5 } }],
  rules: [
    {
      when: {
        currency: { in: ['EUR', 'CHF'] },
        country: { not: 'FR', exists: true },
        amount: { min: 10.5, max: 5_000 },
        customer_id: { not: [1, 2] },
        'metadata.order.tier': { equals: 'gold' },
        'metadata.trial': { not: [true, null] },
        any: [{ amount: { equals: 42 } }, { all: [{ country: { equals: 'DE' } }, {}] }],
        not: { country: { in: ['RU'] } },
      },
      use: { shops: [2], strategy: 'priority' },
    },
    { when: { country: { equals: 'RU' } }, decline: { code: 'blocked_country', message: 'Not in this country.' } },
  ],
  default: { shops: [1, 2], strategy: 'weighted' },
  max_attempts: 2,
  assertions: [
    { when: { country: { equals: 'DE' } }, never: 2 },
    { when: {}, at_least: 1 },
    { when: { amount: { max: 10 } }, at_least_tries: 1 },
  ],
};

export async function program(): Promise<unknown[]> {
  const { data: made } = await client.post('/flows', { body: flow });
  const { data: payment } = await client.post('/payments', {
    body: { flow_name: made.name, amount: 49.9, currency: 'EUR' },
    params: { header: { 'Idempotency-Key': 'order-1' } },
  });
  const open: Schema<'Payment'>[] = [];
  for await (const each of client.list('/payments', { params: { query: { status: 'pending', limit: 50 } } })) {
    open.push(each);
  }
  const { data: decision } = await client.get('/payments/{id}/decision', { params: { path: { id: payment.id } } });
  return [...fieldsOf(payment), ...open.map(fieldsOf), reasonOf(decision), (await simulate()) ? 'yes' : 'no'];
}

/** Every field with its type: a missing or new field does not compile. */
function fieldsOf(payment: Schema<'Payment'>): unknown[] {
  const { id, flow_id, amount, currency, status, shop, customer, next_action, metadata, ...rest } = payment;
  const numbers: number[] = [id, flow_id, amount, shop.id];
  const texts: string[] = [currency, shop.name, rest.payment_session_id, rest.payment_provider];
  const times: Date[] = [rest.created_at, rest.updated_at, rest.expires_at].map((time) => new Date(time));
  const unknownTexts: (string | undefined)[] = [rest.provider_transaction_id, rest.country];
  const address: string | null = rest.webhook_endpoint;
  const page: string | undefined =
    next_action?.type === 'redirect' ? `${next_action.method} ${next_action.url}` : undefined;
  const values: unknown[] = Object.values({ ...metadata, ...rest.provider_metadata });
  const isCharged: boolean = rest.charged_after_end;
  type Named =
    | 'payment_session_id'
    | 'payment_provider'
    | 'created_at'
    | 'updated_at'
    | 'expires_at'
    | 'capture'
    | 'capture_before'
    | 'amount_authorized'
    | 'amount_captured'
    | 'amount_refunded'
    | 'provider_transaction_id'
    | 'country'
    | 'webhook_endpoint'
    | 'provider_metadata'
    | 'charged_after_end';
  const unnamed: Exclude<keyof typeof rest, Named>[] = [] satisfies never[];
  return [
    numbers,
    texts,
    times,
    unknownTexts,
    address,
    page,
    values,
    isCharged,
    unnamed,
    endOf(status),
    nameOf(customer),
  ];
}

/** The statuses are closed: another one does not compile. */
function endOf(status: Schema<'PaymentStatus'>): boolean {
  switch (status) {
    case 'pending':
    case 'processing':
      return false;
    case 'completed':
    case 'failed':
    case 'cancelled':
    case 'refunded':
      return true;
    default:
      return status satisfies never;
  }
}

const nameOf = (customer: Schema<'Payment'>['customer']): string =>
  customer === null ? 'none' : (customer.full_name ?? customer.reference ?? `customer ${customer.id}`);

function reasonOf(decision: Schema<'PaymentDecision'> | null): string {
  const { reasoning } = decision ?? {};
  if (reasoning?.by === 'sticky')
    return `the best score is ${reasoning.score}, then ${reasoning.runner_up?.score ?? 0}`;
  if (reasoning?.by === 'round_robin') return `turn ${reasoning.position} of ${reasoning.of}`;
  return reasoning?.by ?? 'none';
}

async function simulate(): Promise<boolean> {
  try {
    const answer = await client.post('/flows/simulate', { body: { flow_name: 'checkout', simple: true } });
    return typeof answer === 'boolean' ? answer : answer.data.success;
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'flow_not_found') return false;
    throw error;
  }
}

// each of these lines must be a type error

// @ts-expect-error a condition has no such field
export const misspelt: Schema<'Condition'> = { curency: { equals: 'EUR' } };
// @ts-expect-error an amount has no such test
export const untested: Schema<'Condition'> = { amount: { exists: true } };
// @ts-expect-error a rule's strategy cannot be rules again
export const nested: Schema<'RuleUse'> = { shops: [1], strategy: 'rules' };
// @ts-expect-error no such field of a payment
export const unknownField: Schema<'CreatePayment'> = { flow_name: 'a', amount: 1, currency: 'EUR', cost: 1 };
// @ts-expect-error the amount is missing
export const missingField = () => client.post('/payments', { body: { flow_name: 'a', currency: 'EUR' } });
// @ts-expect-error there is no such path
export const unknownPath = () => client.get('/payment');
// @ts-expect-error deliveries of a shop are a list, a single one is not
export const noList = () => client.list('/webhooks/deliveries/{id}', { params: { path: { id: 1 } } });
