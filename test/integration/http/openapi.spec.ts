import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { OUTBOUND_ERRORS } from '../../../src/platform/outbound/outbound-result.js';
import { EVENT_TYPES } from '../../../src/webhooks/event-types/event-catalogue.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { startRole, type TestApplication } from './running.js';

let database: TestDatabase;
let app: TestApplication;
/** The built document: code compiled by Jest lacks what Nest's plugin reads from the types. */
const document = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
) as OpenAPIObject;
beforeAll(async () => {
  database = await createTestDatabase();
  app = await startRole('api', database.url);
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const operations = (): [string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

const EVENT = 'payment.status_changed';

/** Every `$ref` in a document. */
function references(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : references(value),
  );
}

const resolves = (reference: string): boolean =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document) !== undefined;

/** Every object of the document under one of the keys, with its path. */
function under(keys: string[], node: unknown, place = ''): [string, unknown][] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => [
    ...(keys.includes(key) ? [[`${place}/${key}`, value] as [string, unknown]] : []),
    ...under(keys, value, `${place}/${key}`),
  ]);
}

/** Class names in the packages of openapi-generator (TypeScript, Python, Go, Java) and openapi-python-client. */
const CLASSES_OF_GENERATED_PACKAGES = [
  ...['ApiClient', 'ApiException', 'ApiResponse', 'Authentication', 'AuthenticatedClient', 'BaseAPI', 'Client'],
  ...['Configuration', 'JSON', 'OpenApiException', 'Pair', 'Response', 'ServerConfiguration', 'Unset'],
];

describe('The OpenAPI document for generators', () => {
  it('avoids schema names that are classes in generated packages', () => {
    const names = Object.keys(document.components!.schemas!);
    expect(CLASSES_OF_GENERATED_PACKAGES.filter((name) => names.includes(name))).toEqual([]);
  });

  it('contains no boolean constant or enum', () => {
    const values = under(['const', 'enum'], document.components).flatMap(([place, value]) =>
      [value].flat().map((each) => [place, each] as const),
    );
    expect(values.length).toBeGreaterThan(100);
    expect(values.filter(([, value]) => typeof value === 'boolean')).toEqual([]);
  });

  it('contains no list among the alternatives of a field', () => {
    const choices = under(['oneOf', 'anyOf'], [document.components, document.paths]);
    expect(choices.length).toBeGreaterThan(10);
    expect(choices.filter(([, each]) => (each as { type?: string }[]).some(({ type }) => type === 'array'))).toEqual(
      [],
    );
  });

  it('contains no query parameter that is an object or a list, which they send in different ways', () => {
    const parameters = operations().flatMap(([name, { parameters: all = [] }]) =>
      (all as { name: string; in: string; style?: string; schema?: { type?: string } }[])
        .filter((each) => each.in === 'query')
        .map((each) => [name, each.name, each.schema?.type, each.style]),
    );
    expect(parameters.length).toBeGreaterThan(50);
    const compound = parameters.filter(([, , type, style]) => /object|array/.test(`${type}`) || style !== undefined);
    expect(compound).toEqual([]);
  });

  it('allows each amount below 1 that the service takes', () => {
    const least = under(['minimum', 'exclusiveMinimum'], document.components!.schemas).filter(([place]) =>
      /amount\/\w+$/.test(place),
    );
    expect(least.filter(([, value]) => value !== 0)).toEqual([]);
    expect(least.map(([place]) => place)).toContain('/CapturePayment/properties/amount/exclusiveMinimum');
  });

  it('uses one media type for the body of each operation', () => {
    const types = operations().map(([name, { requestBody }]) => {
      const content = requestBody && 'content' in requestBody ? requestBody.content : {};
      return [name, Object.keys(content)] as const;
    });
    expect(types.filter(([, each]) => each.length > 1)).toEqual([]);
  });
});

describe('The OpenAPI document for people', () => {
  it('every body has an example', () => {
    const media = operations().flatMap(([name, { requestBody }]) =>
      Object.values(requestBody && 'content' in requestBody ? requestBody.content : {}).map(
        (each) => [name, each] as const,
      ),
    );
    expect(media.length).toBeGreaterThan(30);
    const without = media.filter(([, { example, examples }]) => example === undefined && examples === undefined);
    expect(without.map(([name]) => name)).toEqual([]);
  });

  it('describes every operation and parameter', () => {
    interface Described {
      name: string;
      description?: string;
    }
    const undescribed = operations().flatMap(([name, { summary, description, parameters = [] }]) => [
      ...(summary && description ? [] : [name]),
      ...(parameters as Described[]).filter((each) => !each.description).map((each) => `${name} ${each.name}`),
    ]);
    expect(operations().length).toBeGreaterThan(90);
    expect(undescribed).toEqual([]);
  });

  it('describes every property', () => {
    interface Node {
      $ref?: string;
      description?: string;
      properties?: Record<string, Node>;
    }
    const undescribed = ({ properties = {} }: Node, place: string): string[] =>
      Object.entries(properties).flatMap(([name, part]) => [
        ...(part.description === undefined && part.$ref === undefined ? [`${place}.${name}`] : []),
        ...undescribed(part, `${place}.${name}`),
      ]);
    const schemas = Object.entries(document.components!.schemas as Record<string, Node>);
    expect(schemas.flatMap(([name, schema]) => undescribed(schema, name))).toEqual([]);
  });

  it('/llms.txt links to it, and all its links answer', async () => {
    const text = await (await fetch(`${app.address}/llms.txt`)).text();
    const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, link]) => link!);
    expect(links).toContain('/openapi.json');
    for (const link of links) expect([link, (await fetch(`${app.address}${link}`)).status]).toEqual([link, 200]);
  });
});

describe('The OpenAPI document', () => {
  it('conforms to OpenAPI 3.1 and resolves all references', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(references(document).filter((reference) => !resolves(reference))).toEqual([]);
  });

  it('describes the paths of the specification', () => {
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/flows/simulate',
        '/webhooks/shop/{shopId}/test',
        '/webhooks/shop/{shopId}/stats',
        '/payments',
        '/shops',
        '/auth/token',
        '/health/ready',
        '/metrics',
      ]),
    );
  });

  it('lists an id, a tag and the errors of every operation', () => {
    for (const [name, operation] of operations()) {
      const secured = (operation.security ?? []).some((requirement) => 'bearer' in requirement);
      const missing = (secured ? ['401', '403', '429', '500', '503'] : []).filter(
        (status) => !(status in operation.responses),
      );
      expect([name, missing, operation.tags?.length, typeof operation.operationId]).toEqual([name, [], 1, 'string']);
    }
    expect(new Set(operations().map(([, { operationId }]) => operationId)).size).toBe(operations().length);
  });

  it('lists the same codes of failed attempts as the page about them', () => {
    const listed = document.tags?.find(({ name }) => name === 'webhooks')?.description ?? '';
    const page = readFileSync(new URL('../../../docs/integrate/webhooks.md', import.meta.url), 'utf8');
    const codes = Object.keys(OUTBOUND_ERRORS);
    expect(codes.filter((code) => !listed.includes(`- \`${code}\`: `))).toEqual([]);
    expect([...page.matchAll(/^\| `(\w+)`/gm)].map(([, code]) => code)).toEqual(codes);
  });

  it('describes the rate limit headers and Retry-After for every operation with a token', () => {
    type Described = { $ref?: string; headers?: Record<string, unknown> };
    const headersOf = (response: Described): string[] => {
      const name = response.$ref?.split('/').at(-1);
      const { headers } = name === undefined ? response : (document.components!.responses![name] as Described);
      return Object.keys(headers ?? {});
    };
    const limited = ['RateLimit-Policy', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
    for (const [name, operation] of operations()) {
      if (!(operation.security ?? []).some((requirement) => 'bearer' in requirement)) continue;
      for (const [status, response] of Object.entries(operation.responses)) {
        const expected = status === '401' ? [] : limited;
        const described = headersOf(response as Described);
        expect([name, status, limited.filter((header) => described.includes(header))]).toEqual([
          name,
          status,
          expected,
        ]);
        if (status === '429') expect([name, described.includes('Retry-After')]).toEqual([name, true]);
      }
    }
  });

  it('contains an example with the right code for every problem', () => {
    const responses = Object.values(document.components?.responses ?? {});
    expect(responses.length).toBeGreaterThan(5);
    for (const response of responses) {
      const content = (response as { content: Record<string, { examples: Record<string, { value: object }> }> })
        .content;
      for (const [code, { value }] of Object.entries(content['application/problem+json']!.examples)) {
        expect(value).toMatchObject({ code, success: false });
      }
    }
  });

  it('describes the webhook, with an example', () => {
    const references = EVENT_TYPES.map((type) => [type, { $ref: `#/components/pathItems/${type}` }]);
    expect(document.webhooks).toEqual(Object.fromEntries(references));
    const { pathItems } = document.components as unknown as { pathItems: Record<string, { post: Operation }> };
    const webhook = pathItems[EVENT]!.post;
    const body = webhook.requestBody as { content: Record<string, { example: Record<string, unknown> }> };
    expect(body.content['application/json']!.example.event).toBe('payment.status_changed');
    expect(webhook.parameters).toContainEqual(expect.objectContaining({ name: 'Signature', in: 'header' }));
  });

  it('describes bearer tokens, and how to get one with every scope of an operation', () => {
    const schemes = document.components!.securitySchemes as unknown as {
      bearer: object;
      oauth2: { flows: { clientCredentials: { tokenUrl: string; scopes: object } } };
    };
    const { clientCredentials } = schemes.oauth2.flows;
    expect(schemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' });
    const scopes = Object.keys(clientCredentials.scopes);
    expect(clientCredentials).toMatchObject({ tokenUrl: '/auth/token' });
    for (const [name, { security = [] }] of operations()) {
      const needed = security.flatMap((requirement) => requirement['oauth2'] ?? []);
      expect([name, needed.filter((scope) => !scopes.includes(scope))]).toEqual([name, []]);
      const bearers = security.flatMap((requirement) => requirement['bearer'] ?? []);
      expect([name, needed]).toEqual([name, bearers]);
    }
  });

  it('matches the document at /openapi.json', async () => {
    const served = (await app.get('/openapi.json')).body as unknown as OpenAPIObject;
    expect(Object.keys(served.paths)).toEqual(Object.keys(document.paths));
  });
});

describe('Swagger UI', () => {
  it('loads everything from the same origin, and its content security policy requires that', async () => {
    const page = await app.get('/docs');
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("'self'"),
    ]);
    expect(page.text).not.toMatch(/(src|href)=["']https?:/);
    for (const [, asset] of page.text.matchAll(/(?:src|href)="\.(\/docs\/[^"]+)"/g)) {
      expect([asset, (await app.get(asset!)).status]).toEqual([asset, 200]);
    }
  });

  it('forbids framing, and sends no referrer to other sites', async () => {
    for (const path of ['/docs', '/docs/swagger-ui-bundle.js']) {
      const { headers } = await app.get(path);
      expect([path, Object.fromEntries(headers)]).toEqual([
        path,
        expect.objectContaining({
          'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
          'x-frame-options': 'DENY',
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
        }),
      ]);
    }
  });

  it('and the console are the only pages that may run scripts in a browser', async () => {
    for (const path of ['/openapi.json', '/health/live', '/shops', '/nothing']) {
      const policy = (await app.get(path)).headers.get('content-security-policy');
      expect([path, policy]).toEqual([path, "default-src 'none'; frame-ancestors 'none'"]);
    }
  });

  it('uses no inline script, which the policy would block', async () => {
    expect((await app.get('/docs')).text).not.toMatch(/<script[^>]*>\s*[^\s<]/);
  });

  it('stores no token in the browser, and shows every operation of the document', async () => {
    const { text } = await app.get('/docs/swagger-ui-init.js');
    const options = JSON.parse(/(?<=let options = )\{[^]*?\n\}(?=;)/.exec(text)![0]) as {
      swaggerDoc: OpenAPIObject;
      customOptions: { persistAuthorization: boolean };
    };
    expect(options.customOptions.persistAuthorization).toBe(false);
    const idsOf = ({ paths }: OpenAPIObject): string[] =>
      Object.values(paths).flatMap((item) =>
        Object.values(item as Record<string, Operation>).map((each) => each.operationId!),
      );
    expect(idsOf(options.swaggerDoc)).toEqual(idsOf(document));
  });
});
