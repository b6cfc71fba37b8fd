/** The list with one item moved to another position. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const others = items.filter((_, index) => index !== from);
  return [...others.slice(0, to), items[from]!, ...others.slice(to)];
}

/** The new position of a dragged item that is dropped before or behind another one. */
export function placeAfterDrop(from: number, over: number, isBehind: boolean): number {
  const gap = over + (isBehind ? 1 : 0);
  return gap > from ? gap - 1 : gap;
}

export const replaced = <Item>(items: readonly Item[], index: number, item: Item): Item[] =>
  items.map((each, at) => (at === index ? item : each));

export const without = <Item>(items: readonly Item[], index: number): Item[] => items.filter((_, at) => at !== index);
