/** One difference of two definitions. `path` as the API names fields; a shop by its id: `shops[shop 3].weight`. */
export interface Change {
  path: string;
  kind: 'added' | 'removed' | 'changed' | 'moved';
  from?: unknown;
  to?: unknown;
}

type Parts = Record<string, unknown>;

/**
 * What is other in `to`. Shops are matched by their id, other lists by what they hold: an item that is put in is one
 * addition, and one that stands elsewhere is `moved`.
 */
export function diff(from: unknown, to: unknown, path = ''): Change[] {
  if (isEqual(from, to)) return [];
  if (isShops(from) && isShops(to)) return diffParts(byShop(from), byShop(to), (key) => `${path}[shop ${key}]`);
  if (isObjects(from) && isObjects(to)) return diffLists(from, to, path);
  if (isParts(from) && isParts(to)) return diffParts(from, to, (key) => (path === '' ? key : `${path}.${key}`));
  return [changeOf(path, from, to)];
}

/** By value, whatever the order of keys; `undefined` is as good as absent. */
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
  const young = to.slice(first, to.length - tail);
  // as many as before: the same items, changed, unless some only stand elsewhere
  const stays = old.length === young.length && !old.some((item) => young.some((other) => isEqual(item, other)));
  if (stays) return old.flatMap((item, index) => diff(item, young[index], `${path}[${first + index}]`));
  return diffOrder(old, young, path, first);
}

function diffOrder(old: readonly Parts[], young: readonly Parts[], path: string, first: number): Change[] {
  const left = old.map((item, index) => ({ item, index: first + index }));
  const changes: Change[] = [];
  for (const [index, item] of young.entries()) {
    const at = `${path}[${first + index}]`;
    const found = left.findIndex((other) => isEqual(other.item, item));
    if (found === -1) changes.push({ path: at, kind: 'added', to: item });
    else {
      const [was] = left.splice(found, 1);
      const now = first + index;
      if (was!.index !== now) changes.push({ path: at, kind: 'moved', from: was!.index, to: now });
    }
  }
  return [
    ...left.map(({ item, index }): Change => ({ path: `${path}[${index}]`, kind: 'removed', from: item })),
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
