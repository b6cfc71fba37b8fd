type Parts = Record<string | number, unknown>;

/** Path steps. A dot within a metadata name looks like a deeper path, so only plain paths are supported. */
const STEP = /[^.[\]]+/g;

/** A copy of `value` with `to` at the path, such as `shops[1].conditions.min_amount`; `undefined` removes the value. */
export function withPath<T>(value: T, path: string, to: unknown): T {
  return set(value, path.match(STEP) ?? [], to) as T;
}

function set(value: unknown, [step, ...deeper]: readonly string[], to: unknown): unknown {
  if (step === undefined) return to;
  if (Array.isArray(value)) return value.with(Number(step), set(value[Number(step)], deeper, to));
  const parts = { ...(value as Parts | undefined) };
  const inner = set(parts[step], deeper, to);
  if (inner === undefined) delete parts[step];
  else parts[step] = inner;
  return parts;
}
