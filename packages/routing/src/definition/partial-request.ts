import type { CardFacts, PaymentMethodFacts, PaymentMethodOption } from '../facts/payment-method.js';
import type { FieldName, RoutingRequest } from './condition.js';

/** A request with some fields decided; `undefined` as a value: the field is absent. Immutable. */
export class PartialRequest {
  private constructor(
    private readonly before: PartialRequest | undefined,
    private readonly field: FieldName | undefined,
    private readonly value: unknown,
    /** `undefined`: not decided yet. */
    readonly currency: string | undefined,
  ) {}

  static readonly EMPTY = new PartialRequest(undefined, undefined, undefined, undefined);

  with(field: FieldName, value: unknown): PartialRequest {
    return new PartialRequest(this, field, value, field === 'currency' ? (value as string) : this.currency);
  }

  /**
   * Whether a metadata field can have this value, given the decided fields: only an object can contain further fields.
   */
  allows(field: FieldName, value: unknown): boolean {
    return this.decided().every(([other, otherValue]) => {
      if (isInside(field, other)) return value === undefined || isObject(otherValue);
      return !isInside(other, field) || otherValue === undefined || isObject(value);
    });
  }

  /** Returns a full request with these options; undecided fields get the simulation's defaults. */
  complete(options?: readonly PaymentMethodOption[]): RoutingRequest {
    const values = new Map(this.decided());
    const country = values.get('country') as string | undefined;
    const customerId = values.get('customer_id') as number | undefined;
    const paymentMethod = paymentMethodOf(values, options);
    const metadata = metadataOf(values);
    return {
      amount: (values.get('amount') as number | undefined) ?? 100,
      currency: this.currency ?? 'USD',
      ...(country !== undefined && { country }),
      ...(customerId !== undefined && { customerId }),
      ...(paymentMethod && { paymentMethod }),
      ...(metadata && { metadata }),
    };
  }

  private decided(): [FieldName, unknown][] {
    if (!this.before || this.field === undefined) return [];
    return [...this.before.decided(), [this.field, this.value]];
  }
}

/** Whether one metadata field is inside another. */
export const isInside = (field: FieldName, other: FieldName): boolean => field.startsWith(`${other}.`);

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

function paymentMethodOf(
  values: ReadonlyMap<FieldName, unknown>,
  options: readonly PaymentMethodOption[] | undefined,
): PaymentMethodFacts | undefined {
  const type = values.get('payment_method.type') as string | undefined;
  const facts = [...values].filter(([field, value]) => field.startsWith('card.') && value !== undefined);
  const card = Object.fromEntries(facts.map(([field, value]) => [field.slice('card.'.length), value])) as CardFacts;
  if (type === undefined && !options && facts.length === 0) return undefined;
  return { ...(type !== undefined && { type }), ...(options && { options }), ...(facts.length > 0 && { card }) };
}

/** The merchant chooses the keys; unlike an object, a map has no inherited keys. */
type Tree = Map<string, unknown>;

function metadataOf(values: ReadonlyMap<FieldName, unknown>): Record<string, unknown> | undefined {
  const tree: Tree = new Map();
  for (const [field, value] of values) {
    if (field.startsWith('metadata.') && value !== undefined) setPath(tree, field.split('.').slice(1), value);
  }
  return tree.size > 0 ? toObject(tree) : undefined;
}

function setPath(tree: Tree, [key, ...deeper]: string[], value: unknown): void {
  const present = tree.get(key!);
  if (deeper.length > 0) {
    const branch = present instanceof Map ? (present as Tree) : new Map<string, unknown>();
    tree.set(key!, branch);
    setPath(branch, deeper, value);
  } else if (!(present instanceof Map)) {
    tree.set(key!, isObject(value) ? new Map() : value);
  }
}

const toObject = (tree: Tree): Record<string, unknown> =>
  Object.fromEntries([...tree].map(([key, value]) => [key, value instanceof Map ? toObject(value as Tree) : value]));
