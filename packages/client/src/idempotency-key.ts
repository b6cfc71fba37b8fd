const NAME = 'Idempotency-Key';

/** The forms of `headers` that `fetch` and openapi-fetch accept. */
type GivenHeaders = Iterable<readonly [string, unknown]> | Readonly<Record<string, unknown>>;

export interface AnyInit {
  headers?: unknown;
  params?: { header?: Record<string, unknown>; query?: Record<string, unknown> };
}

/**
 * Converts iterable `headers` to `Headers`. openapi-fetch treats an array of pairs as a record, and drops `Headers` of another
 * realm. Several values of one name are joined, as `new Headers` does.
 */
export function withReadableHeaders<Init extends AnyInit>(init: Init): Init {
  const { headers } = init;
  if (typeof headers !== 'object' || headers === null || !(Symbol.iterator in headers)) return init;
  const pairs = [...(headers as Iterable<[string, string | null | undefined]>)];
  return {
    ...init,
    headers: new Headers(pairs.filter((pair): pair is [string, string] => pair[1] !== null && pair[1] !== undefined)),
  };
}

/**
 * Gives the request of a payment exactly one `Idempotency-Key`: the caller's, from `headers` or `params.header` in any case, or
 * a new one. Throws `TypeError` for a key that is empty or not a text, and for two different keys: if a new key replaced an
 * invalid one, a repetition by the caller would pay again.
 */
export function withIdempotencyKey(init: AnyInit): AnyInit {
  const { headers, params } = init;
  const keys = new Set([...valuesOf(headers), ...valuesOf(params?.header)].map(requireKey));
  if (keys.size > 1) throw new TypeError(`${NAME}: got ${keys.size} different keys, takes one`);
  const [key = newKey()] = keys;
  return { ...init, params: { ...params, header: { ...withoutKey(params?.header), [NAME]: key } } };
}

const isName = (name: string): boolean => name.toLowerCase() === NAME.toLowerCase();

/** `undefined` counts as an absent header. */
function valuesOf(headers: unknown): unknown[] {
  if (typeof headers !== 'object' || headers === null) return [];
  const given = headers as GivenHeaders;
  const pairs = Symbol.iterator in given ? [...(given as Iterable<readonly [string, unknown]>)] : Object.entries(given);
  return pairs.flatMap(([name, value]) => (isName(name) ? [value].flat() : [])).filter((value) => value !== undefined);
}

function requireKey(value: unknown): string {
  const text = Number.isSafeInteger(value) ? String(value) : typeof value === 'string' ? value.trim() : '';
  if (text !== '') return text;
  const got = typeof value === 'string' ? 'an empty text' : value === null ? 'null' : typeof value;
  throw new TypeError(`${NAME}: got ${got}, takes a text of 1 to 255 characters; if absent, the client creates one`);
}

const withoutKey = (header: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(Object.entries(header).filter(([name]) => !isName(name)));

/** A random key. Not `crypto.randomUUID`, which browsers offer only on secure pages. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
