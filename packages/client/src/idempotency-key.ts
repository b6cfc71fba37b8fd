const NAME = 'Idempotency-Key';

/** What a caller may give as `headers`: what `fetch` takes, and what openapi-fetch takes besides. */
type GivenHeaders = Iterable<readonly [string, unknown]> | Readonly<Record<string, unknown>>;

export interface AnyInit {
  headers?: unknown;
  params?: { header?: Record<string, unknown>; query?: Record<string, unknown> };
}

/**
 * `headers` as openapi-fetch reads them: it takes an array of pairs for a record and loses `Headers` of another realm.
 * The pairs of one name are joined, as `new Headers` does.
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
 * The request of a payment with one `Idempotency-Key`: the caller's, wherever it stands and however its name is written,
 * or a new one where there is none. Throws `TypeError` for a key that is empty or no text, and for two that differ: with a
 * new key in its place the caller's own repeat would pay again.
 */
export function withIdempotencyKey(init: AnyInit): AnyInit {
  const { headers, params } = init;
  const keys = new Set([...valuesOf(headers), ...valuesOf(params?.header)].map(requireKey));
  if (keys.size > 1) throw new TypeError(`${NAME}: got ${keys.size} that differ, takes one`);
  const [key = newKey()] = keys;
  return { ...init, params: { ...params, header: { ...withoutKey(params?.header), [NAME]: key } } };
}

const isName = (name: string): boolean => name.toLowerCase() === NAME.toLowerCase();

/** `undefined` stands for a header that is not there. */
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
  throw new TypeError(`${NAME}: got ${got}, takes a text of 1 to 255 characters; without it the client makes one`);
}

const withoutKey = (header: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(Object.entries(header).filter(([name]) => !isName(name)));

/** As `crypto.randomUUID`, which browsers have on secure pages alone. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
