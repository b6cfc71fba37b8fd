import type { FieldName, RoutingRequest } from './condition.js';

/** A request of which some fields are decided; `undefined` as a value: the field is absent. Never changes. */
export class PartialRequest {
  private constructor(
    private readonly before: PartialRequest | undefined,
    private readonly field: FieldName | undefined,
    private readonly value: unknown,
    /** Once it is decided. */
    readonly currency: string | undefined,
  ) {}

  static readonly EMPTY = new PartialRequest(undefined, undefined, undefined, undefined);

  with(field: FieldName, value: unknown): PartialRequest {
    return new PartialRequest(this, field, value, field === 'currency' ? (value as string) : this.currency);
  }

  /** Whether a field of the metadata can have this value beside what is decided: only in an object there are more fields. */
  takes(field: FieldName, value: unknown): boolean {
    return this.decided().every(([other, otherValue]) => {
      if (isInside(field, other)) return value === undefined || isObject(otherValue);
      return !isInside(other, field) || otherValue === undefined || isObject(value);
    });
  }

  /** With the simulation's defaults for what is not decided. */
  complete(): RoutingRequest {
    const values = new Map(this.decided());
    const country = values.get('country') as string | undefined;
    const customerId = values.get('customer_id') as number | undefined;
    const metadata = metadataOf(values);
    return {
      amount: (values.get('amount') as number | undefined) ?? 100,
      currency: this.currency ?? 'USD',
      ...(country !== undefined && { country }),
      ...(customerId !== undefined && { customerId }),
      ...(metadata && { metadata }),
    };
  }

  private decided(): [FieldName, unknown][] {
    if (!this.before || this.field === undefined) return [];
    return [...this.before.decided(), [this.field, this.value]];
  }
}

/** Whether one field of the metadata lies inside another. */
export const isInside = (field: FieldName, other: FieldName): boolean => field.startsWith(`${other}.`);

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Keys are the merchant's: a map, unlike an object, has none of its own from the start. */
type Tree = Map<string, unknown>;

function metadataOf(values: ReadonlyMap<FieldName, unknown>): Record<string, unknown> | undefined {
  const tree: Tree = new Map();
  for (const [field, value] of values) {
    if (field.startsWith('metadata.') && value !== undefined) plant(tree, field.split('.').slice(1), value);
  }
  return tree.size > 0 ? toObject(tree) : undefined;
}

function plant(tree: Tree, [key, ...deeper]: string[], value: unknown): void {
  const present = tree.get(key!);
  if (deeper.length > 0) {
    const branch = present instanceof Map ? (present as Tree) : new Map<string, unknown>();
    tree.set(key!, branch);
    plant(branch, deeper, value);
  } else if (!(present instanceof Map)) {
    tree.set(key!, isObject(value) ? new Map() : value);
  }
}

const toObject = (tree: Tree): Record<string, unknown> =>
  Object.fromEntries([...tree].map(([key, value]) => [key, value instanceof Map ? toObject(value as Tree) : value]));
