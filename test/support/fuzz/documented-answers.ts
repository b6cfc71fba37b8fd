import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument, Operation, Schema } from './openapi-operations.js';
import type { RawAnswer } from './raw-request.js';

interface MediaType {
  schema?: Schema;
  examples?: Record<string, unknown>;
}

const DOCUMENT = 'document';
const ANYTHING: Schema = {};
/** Headers that affect what a client does. */
const DOCUMENTED_HEADERS = /^(www-authenticate|retry-after|ratelimit-.+|idempotent-replayed|location)$/;

/** Compares answers with the OpenAPI document. */
export class DocumentedAnswers {
  // most validators run a few times, so a slower one that compiles in a third of the time is cheaper
  private readonly ajv = new Ajv2020({ strict: false, logger: false, inlineRefs: false, code: { optimize: false } });
  /** Validators by schema and by its text, because most error answers share one. */
  private readonly validators = new Map<Schema | string, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    addFormats.default(this.ajv);
    // one schema to which all answers refer, so that shared parts are compiled once
    this.ajv.addSchema({ components: closed(document.components) }, DOCUMENT);
  }

  /** Differences between the answer and the document; empty: none. */
  errors(operation: Operation, { status, headers, text }: RawAnswer): string[] {
    const response = operation.responses[status];
    if (status >= 500) return [`${status}: a server error`];
    if (!response) return [`${status} is not documented`];
    if (headers['x-request-id'] === undefined) return ['no X-Request-Id'];
    const described = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
    const undocumented = Object.keys(headers).filter(
      (name) => DOCUMENTED_HEADERS.test(name) && !described.includes(name),
    );
    if (undocumented.length > 0) return [`${undocumented.join()} with ${status} is not documented`];
    if (!response.content) return text === '' ? [] : [`a body with ${status} is not documented`];
    const type = String(headers['content-type']).split(';')[0]!;
    const media = Object.entries(response.content).find(([name]) => name.split(';')[0] === type)?.[1];
    if (!media) return [`${type} is not documented for ${status}`];
    if (!type.endsWith('json')) return [];
    return this.bodyErrors(`${operation.name} ${status} ${type}`, media, JSON.parse(text), status);
  }

  private bodyErrors(key: string, { schema = ANYTHING, examples }: MediaType, body: unknown, status: number): string[] {
    const validate = this.validators.get(schema) ?? this.compile(schema);
    this.validators.set(schema, validate);
    if (!validate(body)) return [`${key}: ${this.ajv.errorsText(validate.errors)}`];
    const problem = body as { code?: string; status?: number } | null;
    if (status < 400 || typeof problem?.code !== 'string') return [];
    if (problem.status !== status) return [`the problem's status is ${problem.status}`];
    return examples && !(problem.code in examples) ? [`${status} ${problem.code} is not documented`] : [];
  }

  private compile(schema: Schema): ValidateFunction {
    const text = JSON.stringify(schema);
    const validate = this.validators.get(text) ?? this.ajv.compile(referringToDocument(closed(schema)) as object);
    this.validators.set(text, validate);
    return validate;
  }
}

/** The schema with every object closed to other properties, because all answered fields must be documented. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const isSchema = typeof copy['properties'] === 'object' && copy['type'] === 'object';
  return isSchema && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy;
}

/** The schema with its references to the document's components resolved against the document. */
function referringToDocument(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(referringToDocument);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' ? `${DOCUMENT}${String(value)}` : referringToDocument(value),
    ]),
  );
}
