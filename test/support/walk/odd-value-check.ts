import type { ApiClient } from '../app/api-client.js';
import type { Operation } from '../fuzz/openapi-operations.js';
import { runs } from '../fuzz/runs.js';

/** Values, as JSON text, that code may mistake for others, that have no text, or that no column holds. */
export const ODD_VALUES = [
  ...['{"toString":1}', '{"toString":1,"valueOf":2}', '{"__proto__":{"a":1}}', '{"constructor":1}', '{"then":1}'],
  ...['{"length":1}', '{"x":{"toString":1}}', '[{"toString":1}]', '[]', '[[]]', '[null]', '[{}]', '[[null]]', '{}'],
  ...['{"a":{"b":null}}', 'true', '-0', '-1', '0.1', '1e19', '[1e19]', '9223372036854775808', '9007199254740993'],
  ...['1e308', '1e-400', '""', '" "', '"NaN"', '"Infinity"', '"\\ud800"', '"a\\u0000"', '"1"', '"null"', '"__proto__"'],
  ...['"\\u202e\\u2028"', '"http://[::ffff:127.0.0.1]:22/"', '"+275660-09-13T00:00:00.001Z"', '"2026-02-30T25:61:61Z"'],
];
/** Every place gets it: it has no text. */
const WITHOUT_TEXT = '{"toString":1,"valueOf":2}';
/** Each place gets so many of the others, the next place the next ones; with GENERATED_FACTOR more. */
const VALUES_OF_PLACE = runs(1);

const HOLE = 'the place of an odd value';

/** The texts of a body with a hole at each of its values, also inside objects and lists, by the path of the hole. */
function withHoles(body: unknown, path: string[] = []): [path: string[], holed: unknown][] {
  const inside = Array.isArray(body)
    ? body.flatMap((item, index) => withHoles(item, path).map(([at, holed]) => [at, body.with(index, holed)] as const))
    : typeof body === 'object' && body !== null
      ? Object.entries(body).flatMap(([key, item]) =>
          withHoles(item, [...path, key]).map(([at, holed]) => [at, { ...body, [key]: holed }] as const),
        )
      : [];
  return [[path, HOLE], ...inside.map(([at, holed]): [string[], unknown] => [at, holed])];
}

/**
 * Requests that get 5xx for an odd value in one place of a valid body. `client`: as for `NullCheck`. A place inside an
 * object that several bodies have, such as a flow's definition, is walked once.
 */
export async function oddValueFaults(client: ApiClient, bodies: ReadonlyMap<Operation, object>): Promise<string[]> {
  const faults: string[] = [];
  const walked = new Set<string>();
  let next = 0;
  for (const [{ method, path, name }, whole] of bodies) {
    const own = path.replaceAll(/\{\w+\}/g, '1');
    for (const [place, holed] of withHoles(whole).slice(1)) {
      const known = place.length < 2 ? `${name} ${place.join()}` : place.slice(-2).join();
      if (walked.has(known)) continue;
      walked.add(known);
      const others = Array.from({ length: Math.min(VALUES_OF_PLACE, ODD_VALUES.length) }, () => {
        return ODD_VALUES[next++ % ODD_VALUES.length]!;
      });
      for (const value of [WITHOUT_TEXT, ...others]) {
        const body = JSON.stringify(holed).replace(JSON.stringify(HOLE), () => value);
        const { status, body: answer } = await client.request(method, own, body);
        if (status >= 500) faults.push(`${name}: ${body}: ${status} ${JSON.stringify(answer)}`);
      }
    }
  }
  return faults;
}
