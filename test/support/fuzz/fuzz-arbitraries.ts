import fc from 'fast-check';
import {
  anyMetadata,
  hostileChanges,
  hostileContentTypes,
  hostileQueryValues,
  hostileSegments,
} from './hostile-arbitraries.js';
import { changeJson, type JsonNode, JsonObject, renderJson } from './json-text.js';
import { flattened, type OpenApiDocument, type Operation, type Schema } from './openapi-operations.js';
import { OperationCalls } from './operation-calls.js';
import type { RawRequest } from './raw-request.js';

type Ids = Record<string, number | string>;

/** Values for valid requests, in addition to those of the document. */
export interface FuzzMaterial {
  ids: Ids;
  /** By operation: objects to use instead of those in `ids`. */
  objects: Record<string, Ids[]>;
  /** By field name: allowed values. */
  values: Record<string, fc.Arbitrary<JsonNode>>;
  /** By operation: complete bodies, if their fields depend on each other in a way that the document cannot describe. */
  bodies: Record<string, fc.Arbitrary<JsonNode>>;
}

/** Requests for an operation: a third are valid, the others contain errors. */
export function requestsFor(
  document: OpenApiDocument,
  operation: Operation,
  material: FuzzMaterial,
): fc.Arbitrary<RawRequest> {
  const segment = fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: hostileSegments });
  const type = fc.oneof(
    { weight: 12, arbitrary: fc.constant('application/json') },
    { weight: 1, arbitrary: hostileContentTypes },
  );
  const body = operation.body
    ? new BodyArbitraries(document, material).bodies(operation.body, material.bodies[operation.name])
    : fc.constant<Buffer | undefined>(undefined);
  const ids = fc.constantFrom(...(material.objects[operation.name] ?? [material.ids]));
  const query = queriesOf(operation, material.ids);
  return fc.record({ ids, segment, query, type, body, headers: headersOf(operation) }).map((parts) => ({
    method: operation.method,
    path: pathOf(operation, parts.ids, parts.segment) + parts.query,
    headers: { ...parts.headers, ...(parts.body !== undefined && { 'content-type': parts.type }) },
    body: parts.body,
  }));
}

/** The path, with a hostile last parameter if given. */
function pathOf(operation: Operation, ids: Ids, segment: string | undefined): string {
  const last = operation.path.lastIndexOf('{');
  if (segment === undefined || last < 0) return OperationCalls.path(operation, ids).split('?')[0]!;
  const hostile = operation.path.slice(0, last) + operation.path.slice(last).replace(/\{\w+\}/, () => segment);
  return OperationCalls.path({ ...operation, path: hostile }, ids).split('?')[0]!;
}

function queriesOf({ parameters }: Operation, ids: Ids): fc.Arbitrary<string> {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  const fields = known.map(({ name, required = false, schema = {} }) => {
    const id = ids[name.replace(/_id$/, '')];
    const isObject = schema.type === 'object';
    const key = isObject ? `${name}[order]` : name;
    const valid =
      schema.enum ??
      (isObject ? [] : [schema['x-example'] ?? schema.example, schema.minimum, schema.maximum, id]).filter(
        (each) => each !== undefined,
      );
    return fc.oneof(
      // a list has a dozen filters: with a value for each, none would be accepted
      { weight: required ? 1 : 6, arbitrary: fc.constant('') },
      {
        weight: 2,
        arbitrary: fc.constantFrom(...(valid.length > 0 ? valid : ['x'])).map((value) => `${key}=${String(value)}`),
      },
      { weight: 1, arbitrary: hostileQueryValues.map((value) => `${name}=${value}`) },
    );
  });
  const unknown = ['unknown=1', '__proto__=1', '__proto__[a]=1', 'limit=1&limit=2', 'limit[]=1', '&&=&', '%', '?'];
  const extra = fc.oneof(
    { weight: 8, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constantFrom(...unknown) },
  );
  return fc.tuple(...fields, extra).map((parts) => {
    const query = parts.filter((part) => part !== '').join('&');
    return query === '' ? '' : `?${query}`;
  });
}

function headersOf({ parameters }: Operation): fc.Arbitrary<Record<string, string>> {
  const known = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name.toLowerCase());
  const names = fc.constantFrom(
    ...new Set([...known, 'x-request-id', 'accept', 'origin', 'if-none-match', 'x-forwarded-for']),
  );
  const values = fc.constantFrom(
    '',
    ' ',
    'a',
    '*/*',
    '\u00fc',
    '\t',
    '"',
    'x'.repeat(300),
    '__proto__',
    '127.0.0.1, ::1',
    '-0',
  );
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.tuple(names, values).map(([name, value]) => ({ [name]: value })) },
  );
}

class BodyArbitraries {
  constructor(
    private readonly document: OpenApiDocument,
    private readonly material: FuzzMaterial,
  ) {}

  bodies(schema: Schema, known?: fc.Arbitrary<JsonNode>): fc.Arbitrary<Buffer | undefined> {
    const described = this.valid(schema, 'body');
    const trees = known ? fc.oneof(described, known) : described;
    const changes = fc.array(fc.tuple(fc.nat(), hostileChanges), { minLength: 1, maxLength: 2 });
    const hostile = fc
      .tuple(trees, changes)
      .map(([tree, steps]) => steps.reduce((whole, [at, change]) => changeJson(whole, at, change), tree));
    const damage = fc.constantFrom<(bytes: Buffer) => Buffer | undefined>(
      (bytes) => bytes.subarray(0, -1),
      (bytes) => Buffer.concat([bytes, bytes]),
      (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
      (bytes) => Buffer.concat([bytes, Buffer.from([0xff, 0xfe])]),
      (bytes) => Buffer.from(bytes.toString('utf8'), 'utf16le'),
      () => Buffer.alloc(0),
      () => undefined,
    );
    const texts = (nodes: fc.Arbitrary<JsonNode>) => nodes.map((node) => Buffer.from(renderJson(node)));
    return fc.oneof(
      { weight: 8, arbitrary: texts(trees) },
      { weight: 14, arbitrary: texts(hostile) },
      { weight: 2, arbitrary: fc.tuple(texts(trees), damage).map(([bytes, damaged]) => damaged(bytes)) },
    );
  }

  /** Values within the limits of the document, often at them. */
  private valid(schema: Schema, name: string): fc.Arbitrary<JsonNode> {
    const { properties, items, required = [], enum: choices, type, ...other } = flattened(this.document, schema);
    const own = this.material.values[name];
    if (own) return own;
    const id = this.material.ids[name.replace(/_id$/, '')];
    if (name.endsWith('_id') && !items && id !== undefined) return fc.constant(id);
    if (properties) return this.object(properties, required);
    if (items) return fc.array(this.valid(items, name.replace(/s$/, '')), { minLength: 1, maxLength: 3 });
    if (choices) return fc.constantFrom(...(choices as JsonNode[]));
    if (type === 'string') return textOf(other);
    if (type === 'number' || type === 'integer') return numberOf(other);
    if (type === 'boolean') return fc.boolean();
    return other.example === undefined || other.additionalProperties === true ? anyMetadata : exampleOf(other);
  }

  private object(properties: Record<string, Schema>, required: string[]): fc.Arbitrary<JsonNode> {
    const fields = Object.entries(properties).map(([name, schema]) =>
      fc.option(
        this.valid(schema, name).map((value) => [name, value] as const),
        { nil: undefined, freq: required.includes(name) ? 1_000 : 2 },
      ),
    );
    return fc.tuple(...fields).map((entries) => new JsonObject(entries.filter((entry) => entry !== undefined)));
  }
}

const exampleOf = ({ example }: Schema): fc.Arbitrary<JsonNode> => fc.constant(fromValue(example));

/** Converts a plain value to a tree. */
export function fromValue(value: unknown): JsonNode {
  if (Array.isArray(value)) return value.map(fromValue);
  if (typeof value !== 'object' || value === null) return value as JsonNode;
  return new JsonObject(Object.entries(value).map(([key, inner]) => [key, fromValue(inner)]));
}

function textOf({ example, minLength = 0, maxLength, pattern }: Schema & { pattern?: string }): fc.Arbitrary<JsonNode> {
  const examples = fc.constant(typeof example === 'string' ? example : 'x'.repeat(minLength));
  if (pattern !== undefined || maxLength === undefined) return examples;
  const ascii = fc.constantFrom(minLength, maxLength).map((length) => 'x'.repeat(length));
  const graphemes = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 30) });
  return fc.oneof(
    { weight: 3, arbitrary: examples },
    { weight: 1, arbitrary: ascii },
    { weight: 2, arbitrary: graphemes },
  );
}

function numberOf({ example, minimum, maximum }: Schema): fc.Arbitrary<JsonNode> {
  const known = [example, minimum, maximum].filter((value): value is number => typeof value === 'number');
  return fc.constantFrom(...(known.length > 0 ? known : [1, 2.5]));
}
