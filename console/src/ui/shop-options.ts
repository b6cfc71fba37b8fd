/** The shops to choose from. The shop in the URL is included even if the shops are not loaded or may not be read. */
export function shopOptions(
  shops: ReadonlyMap<number, { id: number; name: string }>,
  chosen: number | undefined,
): { value: string; label: string }[] {
  const options = [...shops.values()].map(({ id, name }) => ({ value: String(id), label: `${name} (${id})` }));
  if (chosen === undefined || shops.has(chosen)) return options;
  return [{ value: String(chosen), label: `Shop ${chosen}` }, ...options];
}
