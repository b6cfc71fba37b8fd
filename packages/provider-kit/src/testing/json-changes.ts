type Path = readonly (string | number)[];

/** A changed copy of a JSON value. */
export interface JsonChange {
  /** The change, such as `status: zz_unknown`. */
  shown: string;
  apply(value: unknown): unknown;
}

/** Values that no provider sends: an unknown code, and names that every object inherits. */
const ODD = ['zz_unknown', 'constructor'] as const;
const MAX_CHANGES = 160;

/** The part of the changes that are tried, evenly spread; 1: all. */
export const tried = { part: 1 };

/** Changes of one value each: every text, number and flag becomes an odd one, and every field is left out. */
export function jsonChanges(value: unknown): JsonChange[] {
  const paths = [...pathsOf(value, [])];
  const changes = paths.flatMap(({ path, isLeaf }): JsonChange[] => [
    ...(isLeaf
      ? ODD.map((odd) => ({ shown: `${path.join('.')}: ${odd}`, apply: (of: unknown) => changed(of, path, () => odd) }))
      : []),
    ...(typeof path.at(-1) === 'number'
      ? [] // a shorter list is a possible answer
      : [{ shown: `no ${path.join('.')}`, apply: (of: unknown) => changed(of, path, () => undefined) }]),
  ]);
  const { part } = tried;
  return changes.slice(0, MAX_CHANGES).filter((_, index) => Math.floor((index + 1) * part) > Math.floor(index * part));
}

function* pathsOf(value: unknown, path: Path): Generator<{ path: Path; isLeaf: boolean }> {
  const isLeaf = typeof value !== 'object' || value === null;
  if (path.length > 0) yield { path, isLeaf };
  if (isLeaf || path.length > 5) return;
  for (const [name, one] of Object.entries(value))
    yield* pathsOf(one, [...path, Array.isArray(value) ? Number(name) : name]);
}

/** Changes the value at `path`; `undefined` leaves it out. */
function changed(value: unknown, [first, ...rest]: Path, to: (one: unknown) => unknown): unknown {
  if (first === undefined) return to(value);
  if (typeof value !== 'object' || value === null) return value;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string | number, unknown>;
  const next = changed(copy[first], rest, to);
  if (next === undefined) delete copy[first];
  else copy[first] = next;
  return copy;
}
