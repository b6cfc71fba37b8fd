import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { OUTBOUND_ERRORS } from '../../../src/platform/outbound/outbound-result.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { startRole, type TestApplication } from './running.js';

let database: TestDatabase;
let app: TestApplication;
/** As it was built: what Jest compiles lacks what Nest's plugin reads from the types. */
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

/** Every object of the document that stands under one of the keys, with where it stands. */
function under(keys: string[], node: unknown, place = ''): [string, unknown][] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => [
    ...(keys.includes(key) ? [[`${place}/${key}`, value] as [string, unknown]] : []),
    ...under(keys, value, `${place}/${key}`),
  ]);
}

/** Of openapi-generator's packages for TypeScript, Python, Go and Java, and of openapi-python-client's. */
const CLASSES_OF_GENERATED_PACKAGES = [
  ...['ApiClient', 'ApiException', 'ApiResponse', 'Authentication', 'AuthenticatedClient', 'BaseAPI', 'Client'],
  ...['Configuration', 'JSON', 'OpenApiException', 'Pair', 'Response', 'ServerConfiguration', 'Unset'],
];

describe('the OpenAPI document, for generators', () => {
  it('has no schema that is called like a class of the packages that they make', () => {
    const names = Object.keys(document.components!.schemas!);
    expect(CLASSES_OF_GENERATED_PACKAGES.filter((name) => names.includes(name))).toEqual([]);
  });

  it('has no constant and no enum that is a boolean', () => {
    const values = under(['const', 'enum'], document.components).flatMap(([place, value]) =>
      [value].flat().map((each) => [place, each] as const),
    );
    expect(values.length).toBeGreaterThan(100);
    expect(values.filter(([, value]) => typeof value === 'boolean')).toEqual([]);
  });

  it('has no list among the choices of a field', () => {
    const choices = under(['oneOf', 'anyOf'], [document.components, document.paths]);
    expect(choices.length).toBeGreaterThan(10);
    expect(choices.filter(([, each]) => (each as { type?: string }[]).some(({ type }) => type === 'array'))).toEqual(
      [],
    );
  });

  it('has one media type for the body of each operation', () => {
    const types = operations().map(([name, { requestBody }]) => {
      const content = requestBody && 'content' in requestBody ? requestBody.content : {};
      return [name, Object.keys(content)] as const;
    });
    expect(types.filter(([, each]) => each.length > 1)).toEqual([]);
  });
});

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 and resolves in itself', () => {
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

  it('names for every operation an id, a tag, and the errors of its kind', () => {
    for (const [name, operation] of operations()) {
      const secured = (operation.security ?? []).some((requirement) => 'bearer' in requirement);
      const missing = (secured ? ['401', '403', '429', '500', '503'] : []).filter(
        (status) => !(status in operation.responses),
      );
      expect([name, missing, operation.tags?.length, typeof operation.operationId]).toEqual([name, [], 1, 'string']);
    }
    expect(new Set(operations().map(([, { operationId }]) => operationId)).size).toBe(operations().length);
  });

  it('lists every code of a failed attempt, as the page about them does', () => {
    const listed = document.tags?.find(({ name }) => name === 'webhooks')?.description ?? '';
    const page = readFileSync(new URL('../../../docs/integrate/webhooks.md', import.meta.url), 'utf8');
    const codes = Object.keys(OUTBOUND_ERRORS);
    expect(codes.filter((code) => !listed.includes(`- \`${code}\`: `))).toEqual([]);
    expect([...page.matchAll(/^\| `(\w+)`/gm)].map(([, code]) => code)).toEqual(codes);
  });

  it('describes the headers of the rate limit, and when to try again, for every operation with a token', () => {
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

  it('gives every described problem an example with its own code', () => {
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

  it('describes the webhook that we send, with an example', () => {
    expect(document.webhooks).toEqual({ [EVENT]: { $ref: `#/components/pathItems/${EVENT}` } });
    const { pathItems } = document.components as unknown as { pathItems: Record<string, { post: Operation }> };
    const webhook = pathItems[EVENT]!.post;
    const body = webhook.requestBody as { content: Record<string, { example: Record<string, unknown> }> };
    expect(body.content['application/json']!.example.event).toBe('payment.status_changed');
    expect(webhook.parameters).toContainEqual(expect.objectContaining({ name: 'Signature', in: 'header' }));
  });

  it('takes bearer tokens, and gets them for client credentials with every scope of an operation', () => {
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

  it('is served', async () => {
    const served = (await app.get('/openapi.json')).body as unknown as OpenAPIObject;
    expect(Object.keys(served.paths)).toEqual(Object.keys(document.paths));
  });
});

describe('Swagger UI', () => {
  it('comes with all it needs from our own origin, under a policy that says so', async () => {
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

  it('cannot be framed, and tells other sites nothing', async () => {
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

  it('is the only thing here that may do anything in a browser', async () => {
    for (const path of ['/openapi.json', '/health/live', '/shops', '/nothing']) {
      const policy = (await app.get(path)).headers.get('content-security-policy');
      expect([path, policy]).toEqual([path, "default-src 'none'; frame-ancestors 'none'"]);
    }
  });

  it('has no inline script, which the policy would stop', async () => {
    expect((await app.get('/docs')).text).not.toMatch(/<script[^>]*>\s*[^\s<]/);
  });

  it('keeps no token in the browser beyond the page', async () => {
    expect((await app.get('/docs/swagger-ui-init.js')).text).toContain('"persistAuthorization": false');
  });
});
