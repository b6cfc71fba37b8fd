import type { Schema } from '@payment-orchestrator/client';
import type { Payment } from './counterexample';
import type { Definition, TypedNumber } from './form';
import { type MethodForm, methodForm, methodOf, NO_METHOD } from './method-form';
import { withPath } from './paths';

type Overrides = NonNullable<Schema<'SimulateFlow'>['overrides']>;

/** The input of the simulator; empty fields are not sent. */
export interface SimulatedPayment {
  amount: TypedNumber;
  currency: string;
  country: string;
  customerId: TypedNumber;
  method: MethodForm;
  /** JSON. */
  metadata: string;
  atCounter: TypedNumber;
  overrides: Overrides;
}

export const FIRST_PAYMENT: SimulatedPayment = {
  amount: 100,
  currency: 'EUR',
  country: 'DE',
  customerId: undefined,
  method: NO_METHOD,
  metadata: '',
  atCounter: undefined,
  overrides: {},
};

/**
 * The body of `POST /flows/simulate`; `undefined`: the metadata is not JSON. `isDraft`: simulates the definition, otherwise
 * the flow as it is, with its rollout.
 */
export function simulationBody(
  flowName: string,
  definition: Definition,
  payment: SimulatedPayment,
  isDraft: boolean,
): Schema<'SimulateFlow'> | undefined {
  const metadata = metadataOf(payment.metadata);
  if (metadata === undefined) return undefined;
  const { amount, currency, country, customerId, atCounter } = payment;
  const method = methodOf(payment.method);
  const overrides = overridesOf(definition, payment.overrides);
  const body = {
    flow_name: flowName,
    ...(isDraft && { definition }),
    explain: true,
    ...(amount !== undefined && { amount }),
    ...(currency !== '' && { currency }),
    ...(country !== '' && { country }),
    ...(customerId !== undefined && { customer_id: customerId }),
    ...(method && { payment_method: method }),
    ...(metadata !== null && { metadata }),
    ...(atCounter !== undefined && { at_counter: atCounter }),
    ...(overrides && { overrides }),
  };
  // a typed number may be invalid: the API then reports the error at the field
  return body as Schema<'SimulateFlow'>;
}

/** Parses metadata. `null`: empty; `undefined`: not a JSON object. */
export function metadataOf(text: string): Record<string, unknown> | null | undefined {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The assumptions about shops of the flow; the API refuses other shops. */
function overridesOf({ shops }: Definition, overrides: Overrides): Overrides | undefined {
  const members = new Set(shops.map(({ shop_id }) => String(shop_id)));
  const kept = Object.entries(overrides.shops ?? {}).filter(([id]) => members.has(id));
  return kept.length === 0 ? undefined : { shops: Object.fromEntries(kept) };
}

/** Converts a payment, such as the counterexample of an assertion, to the input of the simulator. */
export function simulatedPayment(payment: Payment): SimulatedPayment {
  const { amount, currency, country, customer_id: customerId, payment_method: method, metadata } = payment;
  return {
    ...FIRST_PAYMENT,
    amount,
    currency: currency ?? '',
    country: country ?? '',
    customerId,
    method: method ? methodForm(method) : NO_METHOD,
    metadata: metadata ? JSON.stringify(metadata) : '',
  };
}

const NAMES: Readonly<Record<string, keyof SimulatedPayment>> = {
  amount: 'amount',
  currency: 'currency',
  country: 'country',
  customer_id: 'customerId',
  at_counter: 'atCounter',
};

/** Applies a change that the API has suggested; `null` for `to` clears the field. */
export function withChange(payment: SimulatedPayment, field: string, to: unknown): SimulatedPayment {
  const value = to ?? undefined;
  if (field.startsWith('metadata.')) {
    const { metadata } = withPath({ metadata: metadataOf(payment.metadata) ?? {} }, field, value);
    return { ...payment, metadata: JSON.stringify(metadata ?? {}) };
  }
  if (field.startsWith('payment_method.')) {
    const { payment_method: method } = withPath({ payment_method: methodOf(payment.method) ?? {} }, field, value);
    return { ...payment, method: methodForm(method) };
  }
  if (field.startsWith('overrides.')) return withPath(payment, field, value);
  const name = NAMES[field];
  if (name === undefined) return payment;
  return { ...payment, [name]: name === 'currency' || name === 'country' ? (value ?? '') : value };
}
