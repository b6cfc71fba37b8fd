/**
 * The value at a path; `undefined`: there is none. Only what the caller has sent counts: own properties and items of
 * arrays, never what every object or array inherits.
 */
export function valueAt(value: unknown, keys: readonly string[]): unknown {
  let inner = value;
  for (const key of keys) {
    if (typeof inner !== 'object' || inner === null) return undefined;
    if (Array.isArray(inner) ? !isIndex(key) : !Object.hasOwn(inner, key)) return undefined;
    inner = (inner as Record<string, unknown>)[key];
  }
  return inner;
}

const isIndex = (key: string): boolean => /^\d+$/.test(key);

/**
 * Whether `to` (`undefined`: nothing) can be put at the path while all around it stays: what is on the way must be an
 * object, absent, or an array that has such an item already.
 */
export function isSettable(value: unknown, [key, ...deeper]: readonly string[], to: unknown): boolean {
  if (key === undefined || value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value) && !(isIndex(key) && Number(key) < value.length)) return false;
  if (deeper.length > 0) return isSettable(valueAt(value, [key]), deeper, to);
  return to !== undefined || !Array.isArray(value);
}

/** A copy with `to` at the path, where it `isSettable`. */
export function withValueAt(value: unknown, [key, ...deeper]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to;
  const changed = withValueAt(valueAt(value, [key]), deeper, to);
  return Array.isArray(value) ? value.with(Number(key), changed) : { ...(value as object | undefined), [key]: changed };
}
