import { flattened, type OpenApiDocument, type Operation, type Schema } from '../fuzz/openapi-operations.js';
import { OperationCalls } from '../fuzz/operation-calls.js';
import type { RawRequest } from '../fuzz/raw-request.js';
import { FACTOR } from '../fuzz/runs.js';

const MAX_DEPTH = 6;
const MAX_URL_LENGTH = 7_990;
const HEADER_COUNT = 90;
const HEADERS_LENGTH = 15_000;
const HOLE = '@@hole@@';
/**
 * Fillings that fit anywhere are used in every 256th place, those for texts and numbers in every 128th, with a
 * different offset for each filling and operation. Every 24th is used for the request as a whole. FACTOR divides these.
 */
const every = (nth: number): number => Math.max(1, Math.round(nth / FACTOR));
const [ANY_EVERY, TYPED_EVERY, WHOLE_EVERY] = [every(256), every(128), every(24)];
/** A prime: the first places of operations get different fillings. */
const PLACES_APART = 37;

/** A request that is as expensive as possible for its size. */
export interface WorstRequest {
  shape: string;
  request: RawRequest;
}

type Ids = Record<string, number | string>;

/** Returns JSON text of `length` bytes. */
type Filling = (length: number) => string;

const repeated = (unit: string, length: number): string => unit.repeat(Math.max(0, Math.floor(length / unit.length)));

/** `part(0),part(1)…`, as many as fit, at most `most`. */
function listed(length: number, part: (index: number) => string, most = Infinity): string {
  const parts: string[] = [];
  for (let index = 0, used = 0; index < most; index += 1) {
    const text = part(index);
    used += text.length + 1;
    if (used > length) break;
    parts.push(text);
  }
  return parts.join();
}

const key = (index: number): string => `"${index.toString(36).padStart(3, '_')}":1`;
const inObject = (length: number, part: (index: number) => string, most?: number): string =>
  `{${listed(length - 2, part, most)}}`;
const inArray = (length: number, part: (index: number) => string, most?: number): string =>
  `[${listed(length - 2, part, most)}]`;
const WRONG = inObject(300, key);

/** Nested `conditions` with wrong objects. */
const nestedConditions: Filling = (length) =>
  `{"all":[${listed(length - 12, () => `{"all":[{"any":[${listed(20_000, () => WRONG)}]}]}`, 90)}]}`;

const ANYWHERE: Record<string, Filling> = {
  'many keys': (length) => inObject(length, key),
  'the maximum number of keys': (length) => inObject(length, key, 2_990),
  'similar keys': (length) => inObject(length, (index) => `"${(index * 1_024) % 2 ** 24}":0`),
  'many objects with many keys': (length) => inArray(length, () => inObject(15_000, key)),
  'objects with different keys': (length) => inArray(length, (index) => `{${key(index)}}`, 8_190),
  'a long array': (length) => `[${repeated('0,', length - 3)}0]`,
  'the maximum number of items': (length) => inArray(length, () => '0', 8_192),
  'empty objects': (length) => inArray(length, () => '{}', 8_192),
  'many errors': (length) => inArray(length, () => WRONG),
  'arrays in an array': (length) => inArray(length, () => '[[],[]]', 8_192),
  'deep arrays': (length) => repeated('[', length / 2) + repeated(']', length / 2),
  'deep objects': (length) => `${repeated('{"a":', length * 0.8)}1${'}'.repeat(Math.floor((length * 0.8) / 5))}`,
  'wrong conditions': nestedConditions,
};

const IN_TEXT: Record<string, Filling> = {
  'a long text': (length) => `"${repeated('a', length - 2)}"`,
  'dots and at signs': (length) => `"${repeated('a.', length - 8)}@x.de"`,
  'at signs': (length) => `"${repeated('a@', length - 2)}"`,
  'white space': (length) => `"a${repeated(' ', length - 10)}\\u0001"`,
  digits: (length) => `"2${repeated('0', length - 3)}"`,
  'escaped characters': (length) => `"${repeated('\\u0001', length - 2)}"`,
  'three-byte characters': (length) => `"${repeated('語', (length - 2) / 3)}"`,
};

const IN_NUMBERS: Record<string, Filling> = {
  'a huge number': (length) => repeated('9', length),
  'a long fraction': (length) => `0.${repeated('1', length - 2)}`,
  'a long exponent': (length) => `1e${repeated('9', length - 2)}`,
};

const WHOLE: Record<string, Filling> = {
  'broken at its end': (length) => `{"a":[${listed(length - 20, (index) => `{${key(index)}}`)}}`,
  'empty lines and no JSON': (length) => `${repeated('\n', length - 1)}x`,
  'one key many times': (length) => `{${listed(length - 2, () => '"name":1')}}`,
};

const formFields = (part: (index: number) => string, length: number): string =>
  listed(length, part).replaceAll(',', '&');
const FORMS: Record<string, Filling> = {
  'many form fields': (length) => formFields((index) => index.toString(36), length),
  'the maximum number of form fields': () => formFields((index) => `a${index}=${'%41'.repeat(130)}`, 8_000),
  'many form fields in 8 KiB': () => formFields((index) => index.toString(36), 8_190),
  'one form field many times': () => formFields(() => 'a', 8_190),
  'percent signs in a form': () => repeated('%', 8_190),
};

/** The worst requests to the operation, the `nth`: in places of its body, its query and its headers. */
export function worstRequests(
  document: OpenApiDocument,
  operation: Operation,
  nth: number,
  ids: Ids,
  limit: number,
): WorstRequest[] {
  const own = new OperationCalls(document).call(operation, ids);
  const json = { 'content-type': 'application/json' };
  const inPlaces = placesOf(document, operation).flatMap(([path, fillings], index) => {
    const chosen = chosenAt(nth * PLACES_APART + index, fillings);
    if (chosen.length === 0) return [];
    const place = { in: 'body', path, kind: '' } as const;
    const [before, after] = new OperationCalls(document)
      .call(operation, ids, place, HOLE)
      .body!.toString()
      .split(`"${HOLE}"`);
    if (after === undefined) throw new Error(`${operation.name}: ${path} cannot be reached`);
    const free = limit - Buffer.byteLength(before! + after);
    return chosen.map(([name, fill]) => ({
      shape: `${name} at ${path}`,
      request: { ...own, headers: json, body: before! + fill(free) + after },
    }));
  });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const filled = (fillings: Record<string, Filling>, type: Record<string, string>) =>
    Object.entries(fillings).map(([shape, fill]) => ({
      shape,
      request: () => ({ ...own, headers: type, body: fill(limit) }),
    }));
  const bodies = [...filled({ ...WHOLE, ...ANYWHERE }, json), ...filled(FORMS, form)];
  const others = [...queries(operation, own), ...headers(own)];
  const whole = [
    ...(operation.method === 'GET' ? [] : bodies),
    ...others.map(({ shape, request }) => ({ shape, request: () => request })),
  ];
  const chosen = whole.filter((_, index) => (index + nth) % WHOLE_EVERY === 0);
  return [...inPlaces, ...chosen.map(({ shape, request }) => ({ shape, request: request() }))];
}

const chosenAt = (place: number, fillings: Record<string, Filling>): [string, Filling][] =>
  Object.entries(fillings).filter(
    ([name], index) => (place + index) % (name in ANYWHERE ? ANY_EVERY : TYPED_EVERY) === 0,
  );

/** Every place of the body, with the fillings for it. */
function placesOf(document: OpenApiDocument, { body }: Operation): [string, Record<string, Filling>][] {
  const visit = (schema: Schema, path: string, depth: number): [string, Record<string, Filling>][] => {
    const { properties = {}, items, type } = flattened(document, schema);
    const types = [type].flat();
    const fillings = {
      ...ANYWHERE,
      ...(types.includes('string') && IN_TEXT),
      ...((types.includes('integer') || types.includes('number')) && IN_NUMBERS),
    };
    const own: [string, Record<string, Filling>][] = path === '' ? [] : [[path, fillings]];
    if (depth === MAX_DEPTH) return own;
    const inner = Object.entries(properties).flatMap(([name, property]) =>
      visit(property, path === '' ? name : `${path}.${name}`, depth + 1),
    );
    return [...own, ...inner, ...(items ? visit(items, `${path}[]`, depth + 1) : [])];
  };
  return body ? visit(body, '', 0) : [];
}

function queries({ parameters }: Operation, own: RawRequest): WorstRequest[] {
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const free = MAX_URL_LENGTH - own.path.length;
  const list = (part: (index: number) => string): string => listed(free, part).replaceAll(',', '&');
  const texts: Record<string, string> = {
    'many query parameters': list((index) => index.toString(36)),
    'one query parameter many times': list(() => 'a'),
    'percent signs in the query': repeated('%', free),
    ...Object.fromEntries(names.map((name) => [`${name} many times`, list(() => `${name}=1`)])),
    ...Object.fromEntries(names.map((name) => [`a long ${name}`, `${name}=${repeated('9', free - name.length - 1)}`])),
  };
  return Object.entries(texts).map(([shape, text]) => ({
    shape,
    request: { ...own, path: `${own.path}${own.path.includes('?') ? '&' : '?'}${text}` },
  }));
}

function headers(own: RawRequest): WorstRequest[] {
  const many = Array.from({ length: HEADER_COUNT }, (_, index) => [`x-${index}`, repeated('v', HEADERS_LENGTH / 100)]);
  const sets: Record<string, Record<string, string>> = {
    'many headers': Object.fromEntries(many) as Record<string, string>,
    'many addresses': { 'x-forwarded-for': listed(HEADERS_LENGTH, () => '::1') },
    'a long token': { authorization: `Bearer ${repeated('e.', HEADERS_LENGTH)}` },
    'long credentials': { authorization: `Basic ${repeated('YTo', HEADERS_LENGTH)}` },
    'a long idempotency key': { 'idempotency-key': repeated('k', HEADERS_LENGTH) },
    'a long content type': { 'content-type': `application/json; ${repeated('a=b;', HEADERS_LENGTH)}` },
    'a long request id': { 'x-request-id': repeated('.', HEADERS_LENGTH) },
  };
  return Object.entries(sets).map(([shape, set]) => ({
    shape,
    request: { ...own, headers: { ...own.headers, ...set } },
  }));
}
