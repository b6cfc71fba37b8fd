import { type FieldError, Problem } from '../../../shared/problem.js';

export const MAX_ENDPOINT_HEADERS = 20;
const MAX_VALUE_LENGTH = 4_096;
/** Names and values together. Common servers accept a head of 8 KiB; the service's own headers need some of it. */
const MAX_TOTAL_LENGTH = 6_144;

/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
/** Printable ASCII without a space at either end, which a receiver would drop (RFC 9110, 5.5). */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Headers that the service sets, and those that belong to one connection or frame a message (RFC 9110, 7.6.1). */
const RESERVED = new Set([
  'host',
  'signature',
  'user-agent',
  'traceparent',
  'tracestate',
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const RESERVED_PREFIXES = ['content-', 'webhook-'];

/**
 * Checks the headers that a merchant adds to the requests to an endpoint. `hasAuth`: the service sets `Authorization`.
 * Throws `validation_failed` for the field `headers`, with one error per header.
 */
export function requireEndpointHeaders(headers: Readonly<Record<string, string>>, hasAuth: boolean): void {
  const errors = errorsOf(Object.entries(headers), hasAuth);
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
}

function errorsOf(headers: [string, string][], hasAuth: boolean): FieldError[] {
  if (headers.length > MAX_ENDPOINT_HEADERS) return [errorOf(`must have at most ${MAX_ENDPOINT_HEADERS} headers`)];
  const names = headers.map(([name]) => name.toLowerCase());
  const errors = headers.flatMap(([name, value], index) => {
    const isRepeated = names.indexOf(names[index]!) < index;
    const problem = isRepeated ? 'is given twice' : problemOf(name, value, hasAuth);
    return problem === undefined ? [] : [errorOf(`header ${JSON.stringify(name.slice(0, 128))} ${problem}`)];
  });
  if (errors.length > 0) return errors;
  const length = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (length <= MAX_TOTAL_LENGTH) return [];
  return [errorOf(`must have at most ${MAX_TOTAL_LENGTH} characters in all names and values`)];
}

const errorOf = (message: string): FieldError => ({ field: 'headers', message });

/** Completes a sentence that begins with the name. It never contains the value, which may be a secret. */
function problemOf(name: string, value: unknown, hasAuth: boolean): string | undefined {
  const lower = name.toLowerCase();
  if (!TOKEN.test(name)) return 'has a name that HTTP does not allow';
  if (RESERVED.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix)))
    return 'is set by the service or by the connection';
  if (lower === 'authorization' && hasAuth) return 'must not be given together with auth';
  if (typeof value !== 'string') return 'must have a string as its value';
  if (value.length > MAX_VALUE_LENGTH) return `must have a value of at most ${MAX_VALUE_LENGTH} characters`;
  return VALUE.test(value) ? undefined : 'must have a value of printable ASCII characters without spaces at its ends';
}
