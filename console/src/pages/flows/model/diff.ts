/** One difference of two definitions. `path` uses the API's names, and the id of a shop: `shops[shop 3].weight`. */
export interface Change {
  path: string;
  kind: 'added' | 'removed' | 'changed' | 'moved';
  from?: unknown;
  to?: unknown;
}

type Parts = Record<string, unknown>;

/**
 * Returns the differences of `to`. Shops are matched by their id, items of other lists by their content: an inserted item is
 * one addition, and an item at another position is `moved`.
 */
export function diff(from: unknown, to: unknown, path = ''): Change[] {
  if (isEqual(from, to)) return [];
  if (isShops(from) && isShops(to)) return diffParts(byShop(from), byShop(to), (key) => `${path}[shop ${key}]`);
  if (isObjects(from) && isObjects(to)) return diffLists(from, to, path);
  if (isParts(from) && isParts(to)) return diffParts(from, to, (key) => (path === '' ? key : `${path}.${key}`));
  return [changeOf(path, from, to)];
}

/** Compares by value, regardless of the order of keys; `undefined` equals absent. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isEqual(each, other[index]));
  }
  if (!isParts(one) || !isParts(other)) return false;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) => isEqual(one[key], other[key]));
}

function changeOf(path: string, from: unknown, to: unknown): Change {
  if (from === undefined) return { path, kind: 'added', to };
  if (to === undefined) return { path, kind: 'removed', from };
  return { path, kind: 'changed', from, to };
}

const diffParts = (from: Parts, to: Parts, pathOf: (key: string) => string): Change[] =>
  [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((key) => diff(from[key], to[key], pathOf(key)));

function diffLists(from: readonly Parts[], to: readonly Parts[], path: string): Change[] {
  const start = from.findIndex((item, index) => !isEqual(item, to[index]));
  const first = start === -1 ? from.length : start;
  let tail = 0;
  while (tail < Math.min(from.length, to.length) - first && isEqual(from.at(-1 - tail), to.at(-1 - tail))) tail++;
  const old = from.slice(first, from.length - tail);
  const current = to.slice(first, to.length - tail);
  // the same number of items, none of them moved: the items are compared one by one
  const isInPlace = old.length === current.length && !old.some((item) => current.some((other) => isEqual(item, other)));
  if (isInPlace) return old.flatMap((item, index) => diff(item, current[index], `${path}[${first + index}]`));
  return diffOrder(old, current, path, first);
}

function diffOrder(old: readonly Parts[], current: readonly Parts[], path: string, first: number): Change[] {
  const remaining = old.map((item, index) => ({ item, index: first + index }));
  const changes: Change[] = [];
  for (const [index, item] of current.entries()) {
    const at = `${path}[${first + index}]`;
    const found = remaining.findIndex((other) => isEqual(other.item, item));
    if (found === -1) changes.push({ path: at, kind: 'added', to: item });
    else {
      const [was] = remaining.splice(found, 1);
      const now = first + index;
      if (was!.index !== now) changes.push({ path: at, kind: 'moved', from: was!.index, to: now });
    }
  }
  return [
    ...remaining.map(({ item, index }): Change => ({ path: `${path}[${index}]`, kind: 'removed', from: item })),
    ...changes,
  ];
}

const isParts = (value: unknown): value is Parts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isObjects = (value: unknown): value is Parts[] => Array.isArray(value) && value.every(isParts);
const isShops = (value: unknown): value is Parts[] =>
  isObjects(value) && value.every((item) => typeof item.shop_id === 'number');
const byShop = (shops: readonly Parts[]): Parts =>
  Object.fromEntries(shops.map((shop) => [String(shop.shop_id), shop]));
