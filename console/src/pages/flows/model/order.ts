/** The list with one of its items at another place. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = items.filter((_, index) => index !== from);
  return [...rest.slice(0, to), items[from]!, ...rest.slice(to)];
}

/** Where an item that is dragged ends up, dropped before or behind another one. */
export function placeAfterDrop(from: number, over: number, isBehind: boolean): number {
  const gap = over + (isBehind ? 1 : 0);
  return gap > from ? gap - 1 : gap;
}

export const replaced = <Item>(items: readonly Item[], index: number, item: Item): Item[] =>
  items.map((each, at) => (at === index ? item : each));

export const without = <Item>(items: readonly Item[], index: number): Item[] => items.filter((_, at) => at !== index);
