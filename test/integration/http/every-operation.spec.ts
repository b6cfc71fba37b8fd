import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { SCOPES } from '../../../src/access/scopes.js';
import { committedOpenApi, flattened, operationsOf } from '../../support/fuzz/openapi-operations.js';
import { mediaOf } from '../../support/fuzz/prefilled-bodies.js';
import { bodyChecks } from '../../support/walk/body-checks.js';
import type { Check } from '../../support/walk/check.js';
import { NullCheck } from '../../support/walk/null-check.js';
import { oddValueFaults } from '../../support/walk/odd-value-check.js';
import { PrefilledStory } from '../../support/walk/prefilled-story.js';
import { isList, tenancyChecks } from '../../support/walk/tenancy-checks.js';
import { tokenChecks } from '../../support/walk/token-checks.js';
import { WalkedService } from '../../support/walk/walked-service.js';

// Every operation of the OpenAPI document × a list of checks, in test/support/walk. A new operation is checked without a
// line here, if it takes a token; a new kind of object gets its entry in seeded-merchant.ts.

/** Operations without a bearer token, with the reason. New ones must be added here. */
const PUBLIC: Record<string, string> = {
  'GET /health/live': 'reports only that the process runs',
  'GET /health/ready': 'reports only which dependencies are up',
  'GET /metrics': 'counts and durations, by route',
  'POST /auth/token': 'takes client credentials',
  'GET /.well-known/jwks.json': 'public keys',
  'GET /shops/{id}/jwks.json': 'public keys, and none for a shop that is unknown',
  'POST /providers/{provider}/notifications/{shopId}': "takes the provider's signature",
  'GET /providers/{provider}/return/{reference}':
    "takes a payment's unguessable reference, and returns only its return_url",
};

const document = committedOpenApi();
const operations = operationsOf(document);
const secured = operations.filter(({ scopes }) => scopes !== undefined);
const withBody = secured.filter(({ body }) => body);
const nulls = new NullCheck(document, operations);

let service: WalkedService;
let checks: Check[];
/** Faults of a service without any object: the first shop has the id of the examples. */
let prefilledFaults: string[];
let nullFaults: string[];
let faultsByOddValues: string[];
beforeAll(async () => {
  service = await WalkedService.start(async (api, database) => {
    prefilledFaults = await new PrefilledStory(document, api, database).faults(withBody);
    nullFaults = await nulls.faults(api);
    faultsByOddValues = await oddValueFaults(api, nulls.bodies);
  });
  checks = [...tokenChecks(service), ...tenancyChecks(service), ...bodyChecks(service)];
});
afterAll(() => service?.stop());

describe('Every operation', () => {
  it('requires a bearer token with known scopes, or is listed here as public', () => {
    const open = operations.filter(({ scopes }) => scopes === undefined).map(({ name }) => name);
    expect(open.sort()).toEqual(Object.keys(PUBLIC).sort());
    const isKnown = (scope: string) => (SCOPES as readonly string[]).includes(scope);
    const unsaid = secured.filter(({ scopes }) => scopes!.length === 0 || !scopes!.every(isKnown));
    expect(unsaid.map(({ name, scopes }) => [name, scopes])).toEqual([]);
  });

  it.each([
    'answers 401 to a wrong token, and without one before it reads the body or the query',
    'answers 403 to a token that lacks a scope',
    'shows no data of a merchant if it takes no token',
    'answers 200 to the documented scopes if it reads',
    'answers 404 to the path of an object of another merchant, as for an unknown one',
    'answers to an id of another merchant in its query or body as to an unknown one',
    'lists nothing of another merchant, also with its cursor',
    'refuses a query parameter that it does not know',
    'refuses a key that comes twice in an object, and a parameter that comes twice',
    'refuses a body or an id of another kind',
    'refuses wrong bodies without a fault, and logs nothing of them',
    'takes odd values of its fields without a fault',
  ])('%s', async (name) => {
    const before = await service.rowsOfVictim();
    expect(await service.faultsOf(checks.find((check) => check.name === name)!)).toEqual([]);
    expect(await service.rowsOfVictim()).toEqual(before);
  });

  it('works for the owner of its objects, who sees nothing of another merchant', async () => {
    // an operation that deletes comes last, or the others would find nothing; an erasure deletes more than it does
    const rank = (path: string, method: string) => (/erase|revoke/.test(path) ? 2 : Number(method === 'DELETE'));
    const inOrder = [...operations].sort((one, other) => rank(one.path, one.method) - rank(other.path, other.method));
    expect(
      await service.faultsOf(
        checks.find(({ name }) => name.startsWith('works'))!,
        inOrder,
      ),
    ).toEqual([]);
  });

  it('accepts what Swagger UI prefills, and each of its examples', () => {
    expect(prefilledFaults).toEqual([]);
  });

  it('takes null in an optional field of its body as absent', () => {
    expect(nullFaults).toEqual([]);
  });

  it('takes an odd value in any one place of a valid body without a fault', () => {
    expect(faultsByOddValues).toEqual([]);
  });

  it('the checks walk as many places as it has', () => {
    expect(nulls.fields.length).toBeGreaterThan(250);
    const without = withBody.filter((operation) => !nulls.fields.some((field) => field.operation === operation));
    // all fields of these bodies are required
    expect(without.map(({ name }) => name)).toEqual([
      'POST /flows/{id}/versions/{version}/reject',
      'POST /flows/{id}/versions/{version}/comments',
      'PATCH /payments/{id}',
      'POST /payments/{id}/next-action',
      'POST /webhooks/shop/{shopId}/test',
      'POST /webhooks/shop/{shopId}/conformance',
    ]);
    expect(secured.filter(isList).length).toBeGreaterThan(3);
    const { calls, victim } = service;
    const flows = secured.find(({ name }) => name === 'POST /flows')!;
    expect(calls.idPlaces(flows, victim.ids).map(({ path }) => path)).toContain('shops[].shop_id');
  });
});

describe('The document of every operation', () => {
  it('explains null in the description of a field whose type includes null', () => {
    const nullable = nulls.fields.filter(({ schema }) => nulls.takesNull(schema));
    const unexplained = nullable.filter(({ schema }) => !/null/.test(flattened(document, schema).description ?? ''));
    expect(unexplained).toEqual([]);
  });

  it('each example conforms to the schema of the body', () => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    addFormats.default(ajv);
    ajv.addSchema({ components: document.components }, 'document');
    for (const operation of withBody) {
      const { schema, examples = {} } = mediaOf(document, operation);
      const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#');
      const validate = ajv.compile(JSON.parse(text) as object);
      for (const [example, { value }] of Object.entries(examples)) {
        validate(value);
        expect([operation.name, example, validate.errors]).toEqual([operation.name, example, null]);
      }
    }
  });

  it('leaves optional parameters empty, so that lists are complete and an example can be sent twice', () => {
    const queries = operations.flatMap(({ name, parameters }) =>
      parameters.filter(({ required }) => !required).map((each) => [name, each.name, each.schema]),
    );
    expect(queries.length).toBeGreaterThan(10);
    expect(queries.filter(([, , schema]) => (schema as { example?: unknown }).example !== undefined)).toEqual([]);
  });

  it('sends the credentials of a token request in one place, and asks for every scope', () => {
    const form = document.paths['/auth/token']!['post']!.requestBody!.content['application/x-www-form-urlencoded']!;
    const { properties = {} } = flattened(document, form.schema);
    const filled = Object.entries(properties).filter(([, { example }]) => example !== undefined);
    expect(filled.map(([name]) => name)).toEqual(['grant_type']);
  });
});
