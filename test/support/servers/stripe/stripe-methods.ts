import { type FakeIntent, invalidRequest } from './stripe-objects.js';
import { checkNames, newId, type Params } from './stripe-params.js';
import { textOf } from './form.js';

const HELD = new Set(['succeeded', 'requires_capture']);

/** Customers of the fake, and the PaymentMethods that are attached to them by charges with `setup_future_usage`. */
export class StripeMethods {
  readonly customers = new Map<string, object>();
  private readonly detached = new Set<string>();

  constructor(private readonly intents: ReadonlyMap<string, FakeIntent>) {}

  createCustomer(params: Params): object {
    checkNames(params, new Set(['metadata']));
    const customer = { id: newId('cus'), object: 'customer', metadata: params['metadata'] ?? {} };
    this.customers.set(customer.id, customer);
    return customer;
  }

  /** The customer that the method is attached to. */
  ownerOf(method: string): string | undefined {
    if (this.detached.has(method)) return undefined;
    const saving = [...this.intents.values()].find(
      (intent) => intent.payment_method === method && intent.setup_future_usage !== null && HELD.has(intent.status),
    );
    return saving?.customer ?? undefined;
  }

  /** Refuses a customer that does not exist, and an attached method without its customer or after its detachment. */
  check(method: string, params: Params): void {
    const customer = params['customer'] === undefined ? undefined : textOf(params['customer']);
    if (customer !== undefined && !this.customers.has(customer)) {
      throw invalidRequest(`No such customer: '${customer}'`, { code: 'resource_missing', param: 'customer' });
    }
    const owner = this.ownerOf(method);
    if (this.detached.has(method) || (owner !== undefined && owner !== customer)) {
      const message = `The PaymentMethod supplied (${method}) belongs to a Customer or was detached from one.`;
      throw invalidRequest(message, { param: 'payment_method' });
    }
  }

  detach(method: string): object {
    if (this.ownerOf(method) === undefined) {
      throw invalidRequest(
        'The payment method you provided is not attached to a customer so detachment is impossible.',
      );
    }
    this.detached.add(method);
    return { id: method, object: 'payment_method', customer: null };
  }
}
