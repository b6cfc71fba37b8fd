import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

type Node = Record<string, unknown>;
interface Document {
  paths: Record<string, Record<string, { requestBody?: unknown }>>;
  components: { schemas: Record<string, Node> };
}

const text = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
const document = JSON.parse(text) as Document;
const { schemas } = document.components;

/** Returns every schema inside a named one, with its path. */
function nodesOf(node: unknown, path: string): [string, Node][] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.entries(node)
    .filter(([key]) => key !== 'example' && key !== 'examples')
    .flatMap(([key, value]) => nodesOf(value, `${path}.${key}`));
  return [[path, node as Node], ...inner];
}

const nodes = Object.entries(schemas).flatMap(([name, schema]) => nodesOf(schema, name));
const where = (test: (node: Node, path: string) => boolean): string[] =>
  nodes.filter(([path, node]) => test(node, path)).map(([path]) => path);
const hasType = ({ type }: Node, ...types: string[]): boolean =>
  [type].flat().some((each) => types.includes(String(each)));

describe('the committed OpenAPI document', () => {
  it('equals the document that the service serves, as do the types of the client', async () => {
    await run(process.execPath, ['scripts/generate-client.mjs', '--check'], { cwd: root });
  });

  it('names its schemas without Dto', () => {
    expect(text).not.toMatch(/Dto"/);
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['Payment', 'PaymentStatus', 'Condition', 'Rule', 'WebhookEvent', 'Delivery', 'Problem']),
    );
  });

  it('gives every number a format, and every time the format date-time', () => {
    expect(
      where((node) => hasType(node, 'integer', 'number') && !('format' in node) && !hasType(node, 'boolean')),
    ).toEqual([]);
    expect(where((node, path) => /\.\w+_at$/.test(path) && node['format'] !== 'date-time' && 'type' in node)).toEqual(
      [],
    );
  });

  it('expresses null as a type, as OpenAPI 3.1 requires', () => {
    expect(where((node) => 'nullable' in node)).toEqual([]);
  });

  it('states defaults in descriptions, because generators make a field with the keyword required', () => {
    expect(where((node, path) => 'default' in node && !path.endsWith('.properties'))).toEqual([]);
  });

  it('describes the content of every object', () => {
    const isBare = (node: Node): boolean =>
      node['type'] === 'object' && !['properties', 'additionalProperties', '$ref'].some((key) => key in node);
    expect(where(isBare)).toEqual([]);
  });

  it('defines every enum of several values as a named schema', () => {
    const enums = where((node, path) => path.includes('.') && Array.isArray(node['enum']) && node['enum'].length > 1);
    expect(enums).toEqual(['Readiness.properties.status', 'RedirectAction.properties.method']);
  });

  it('accepts exactly the conditions that the service accepts', () => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    addFormats.default(ajv);
    const validate = ajv.compile({ $ref: '#/components/schemas/Condition', components: document.components });
    for (const condition of CONDITIONS) expect([condition, validate(condition)]).toEqual([condition, true]);
    for (const condition of NO_CONDITIONS) expect([condition, validate(condition)]).toEqual([condition, false]);
  });
});

const CONDITIONS = [
  {},
  { currency: { in: ['EUR'] }, 'metadata.order.tier': { equals: 'gold' } },
  { any: [{ amount: { min: 1.5, max: 10 } }, { not: { customer_id: { exists: false } } }] },
  { country: { not: ['FR', 'DE'] } },
];

const NO_CONDITIONS = [
  { curency: { equals: 'EUR' } },
  { metadata: { equals: 1 } },
  { amount: { exists: true } },
  { currency: {} },
  { all: [] },
  { customer_id: { equals: 1.5 } },
];

describe('the types of the client', () => {
  it('compile in a strict program that writes rules and reads every field of a payment', async () => {
    const tsc = fileURLToPath(new URL('../../node_modules/typescript-native/bin/tsc', import.meta.url));
    await run(process.execPath, [tsc, '-p', 'test/typed-client'], { cwd: root });
  });
});

describe('the package of the client', () => {
  it('contains the compiled modules and their types, and nothing else', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '-w', 'packages/client'], { cwd: root });
    const packed = JSON.parse(stdout) as
      | { files: { path: string }[]; size: number; unpackedSize: number }[]
      | Record<string, { files: { path: string }[]; size: number; unpackedSize: number }>;
    const [{ files, size, unpackedSize }] = Object.values(packed) as [
      { files: { path: string }[]; size: number; unpackedSize: number },
    ];
    const kib = (bytes: number): string => `${Math.round(bytes / 102.4) / 10} KiB`;
    process.stdout.write(`@payment-orchestrator/client: ${kib(size)} packed, ${kib(unpackedSize)} unpacked\n`);
    const sources = readdirSync(join(root, 'packages/client/src'), { recursive: true, encoding: 'utf8' });
    const modules = sources.filter((path) => /(?<!\.spec)\.ts$/.test(path)).map((path) => path.slice(0, -'.ts'.length));
    expect(modules).toEqual(expect.arrayContaining(['index', 'schema', join('bin', 'flows')]));
    expect(files.map(({ path }) => path).sort()).toEqual(
      ['README.md', ...modules.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]), 'package.json'].sort(),
    );
  });
});
