/** All orders of a few items. */
export function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) => ordersOf(items.filter((_, at) => at !== index)).map((rest) => [item, ...rest]));
}
