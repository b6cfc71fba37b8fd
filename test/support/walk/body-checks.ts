import { flattened, type Operation } from '../fuzz/openapi-operations.js';
import { OperationCalls } from '../fuzz/operation-calls.js';
import type { RawRequest } from '../fuzz/raw-request.js';
import { type Attempt, type Check, statusFaults, withQuery } from './check.js';
import { authorized } from './token-checks.js';
import { ODD_VALUES } from './odd-value-check.js';
import { signatureOf, type WalkedService } from './walked-service.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const REPEATED_KEY = '{"a":{"list":[{"b":1},{"amount":1,"c":[],"\\u0061mount":2}]}}';

interface Refusal {
  code?: string;
  errors?: { field: string; message: string }[];
}

/** Operations whose query belongs to a provider, a monitor, or a standard: RFC 6749 §3.2 ignores unknown parameters. */
const TAKES_ANY_QUERY = [
  'GET /health/live',
  'GET /health/ready',
  'GET /metrics',
  'POST /auth/token',
  'POST /providers/{provider}/notifications/{shopId}',
  'GET /providers/{provider}/return/{reference}',
];

/** Only one operation in so many gets a body that is too large: it is refused before its operation is known. */
const LARGE_EVERY = 8;
/** An operation gets one in so many odd values in all of its fields; `oddValueFaults` walks the fields one by one. */
const ODD_EVERY = 4;

/** Checks of requests that are wrong in what they contain. They may change objects of `careless`. */
export function bodyChecks(service: WalkedService): Check[] {
  const { careless, document, markers } = service;
  const marker = (name: string) => markers.create(name);
  let seen = 0;
  let oddSeen = 0;
  const pathTo = (operation: Operation): string => OperationCalls.path(operation, careless.ids);
  const sent = (request: RawRequest): RawRequest => authorized(request, careless.authorization);

  const repeatedParameters = (operation: Operation): Attempt[] => {
    const names = operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
    if (names.length === 0) return [];
    return ['1', '2026-11-21T01:02:03Z', 'completed'].map((value) => {
      const query = names.flatMap((name) => [name, name]).map((name) => `${name}=${encodeURIComponent(value)}`);
      const path = `${pathTo(operation).split('?')[0]}?${query.join('&')}`;
      return {
        what: 'repeated parameters',
        requests: [sent({ method: operation.method, path })],
        faults({ status, text }) {
          const { code, errors = [] } = JSON.parse(text) as Refusal;
          const unnamed = names.filter((name) => !errors.some(({ field }) => field === name));
          return status === 400 && code === 'malformed_request' ? unnamed : ['not refused', ...names];
        },
      };
    });
  };

  const repeatedKey = ({ method, ...operation }: Operation): Attempt => ({
    what: 'a repeated key',
    requests: [sent({ method, path: pathTo({ method, ...operation }), headers: JSON_TYPE, body: REPEATED_KEY })],
    faults({ status, text }) {
      const { code, errors } = JSON.parse(text) as Refusal;
      const message = 'must come only once: its object has this key twice';
      const isNamed = JSON.stringify(errors) === JSON.stringify([{ field: 'a.list[1].amount', message }]);
      return status === 422 && code === 'validation_failed' && isNamed ? [] : ['not refused with the path'];
    },
  });

  /** Bodies with a secret in each place, by kind. */
  const secretBodies = (fields: string[]): [string, Record<string, string>?][] => {
    const tooLarge: [string] = [`{"x":"${marker('too large a body')}${'x'.repeat(300_000)}"}`];
    const object = (value: (field: string) => unknown): string =>
      JSON.stringify(Object.fromEntries(fields.map((field) => [field, value(field)])));
    return [
      [`{"name": "${marker('broken JSON')}", `],
      [marker('no JSON')],
      [`{"${marker('unknown field')}": "${marker('value of an unknown field')}"}`],
      [object((field) => ({ [marker(`key in ${field}`)]: marker(field) }))],
      [object(marker)],
      [`"${marker('body that is a text')}"`],
      [marker('body of another type'), { 'content-type': `text/${marker('content type')}` }],
      ...(seen++ % LARGE_EVERY === 0 ? [tooLarge] : []),
      ['{"field":"\\u0000"}'],
    ];
  };

  return [
    {
      name: 'refuses a query parameter that it does not know',
      attempts({ name, method, ...operation }) {
        if (TAKES_ANY_QUERY.includes(name)) return [];
        const path = withQuery(pathTo({ name, method, ...operation }), 'nonsense=1');
        return [
          {
            what: 'an unknown parameter',
            requests: [sent({ method, path })],
            faults({ status, text }) {
              const { code, errors = [] } = JSON.parse(text) as Refusal;
              const isNamed = errors.some(({ field }) => field === 'nonsense');
              return status === 400 && code === 'malformed_request' && isNamed ? [] : ['not refused by name'];
            },
          },
        ];
      },
    },
    {
      name: 'refuses a key that comes twice in an object, and a parameter that comes twice',
      attempts(operation) {
        if (!operation.scopes) return [];
        return [...repeatedParameters(operation), ...(operation.body ? [repeatedKey(operation)] : [])];
      },
    },
    {
      name: 'refuses a body or an id of another kind',
      attempts(operation) {
        const { method, path, scopes, body } = operation;
        const badId = { method, path: path.replaceAll(/\{\w+\}/g, 'one') };
        const refused = statusFaults((status) => status >= 400);
        // to objects that do not exist: operations without a body may take any
        const unwanted = body ? [] : secretBodies([]);
        const attempts: Attempt[] = [
          ...(path === badId.path ? [] : [{ what: 'a bad id', requests: [sent(badId)], faults: refused }]),
          { what: 'a bad token', requests: [authorized(badId, 'Bearer none')] },
          ...(method === 'GET' ? [] : unwanted).map(([text, headers = JSON_TYPE]) => {
            return { what: 'an unwanted body', requests: [sent({ ...badId, headers, body: text })] };
          }),
        ];
        if (method === 'GET') return attempts;
        const headers = { 'transfer-encoding': 'chunked' };
        const twoLengths = { what: 'two lengths', requests: [sent({ ...badId, headers, body: 'x' })] };
        return scopes || path === '/auth/token' ? [...attempts, twoLengths] : attempts;
      },
    },
    {
      name: 'refuses wrong bodies without a fault, and logs nothing of them',
      attempts(operation) {
        if (!operation.body) return [];
        const fields = Object.keys(flattened(document, operation.body).properties ?? {});
        // an answer is repeated for a refund that was made before, a payment that has its outcome, an ended rollout
        const isRepeated = /\/(refund|next-action|abort)$/.test(operation.path);
        return secretBodies(fields).map(([body, headers = JSON_TYPE]) => ({
          what: 'a body with secrets',
          requests: [
            sent({
              method: operation.method,
              path: pathTo(operation),
              headers: {
                ...headers,
                'idempotency-key': marker('Idempotency-Key'),
                signature: operation.scopes ? marker('signature') : signatureOf(body),
              },
              body,
            }),
          ],
          faults: statusFaults((status) => status >= 400 || isRepeated),
        }));
      },
    },
    {
      name: 'takes odd values of its fields without a fault',
      attempts(operation) {
        if (!operation.body) return [];
        const fields = Object.keys(flattened(document, operation.body).properties ?? {});
        const { method } = operation;
        oddSeen += 1;
        return ODD_VALUES.filter((_, index) => index % ODD_EVERY === oddSeen % ODD_EVERY).map((value) => {
          const body = `{${fields.map((field) => `"${field}":${value}`).join()}}`;
          const headers = { ...JSON_TYPE, signature: signatureOf(body) };
          return { what: 'odd values', requests: [sent({ method, path: pathTo(operation), headers, body })] };
        });
      },
    },
  ];
}
