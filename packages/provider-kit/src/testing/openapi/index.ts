// Compares what a connector sends, and what its fake answers, with the provider's own OpenAPI document.
import type { Exchange } from '../wire.js';
import { resolved, type Schema, schemaFaults, type SchemaOptions } from './schema-faults.js';

interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  required?: boolean;
  schema?: Schema;
}
interface Content {
  $ref?: string;
  required?: boolean;
  content?: Readonly<Record<string, { schema?: Schema }>>;
}
interface Operation {
  parameters?: readonly Parameter[];
  requestBody?: Content;
  responses?: Readonly<Record<string, Content>>;
}

/** An OpenAPI document of version 3, parsed. It is not copied into a repository: a package, a module or a path has it. */
export interface ApiDocument {
  servers?: readonly { url: string }[];
  paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A difference between an exchange and the document. */
export interface DocumentFault {
  /** Method and path. */
  line: string;
  part: 'request' | 'answer';
  fault: string;
}

/**
 * The differences of recorded calls from the document: unknown operations and parameters, absent required ones, values of
 * other types or outside of an enumeration. Answers of the fake are compared by their status; a scripted one is not.
 */
export function matchesDocument(exchanges: readonly Exchange[], document: ApiDocument): DocumentFault[] {
  return exchanges.flatMap((exchange) => {
    const { line } = exchange;
    const found = operationOf(exchange, document);
    if (!found) return [{ line, part: 'request' as const, fault: 'the document has no such operation' }];
    const as = (part: DocumentFault['part']) => (fault: string) => ({ line, part, fault });
    return [
      ...requestFaults(exchange, found, document).map(as('request')),
      ...answerFaults(exchange, found, document).map(as('answer')),
    ];
  });
}

function operationOf({ request }: Exchange, { paths = {}, servers = [] }: ApiDocument): Operation | undefined {
  const prefixes = servers.map(({ url }) => new URL(url, 'https://server.example').pathname.replace(/\/$/, ''));
  const { pathname } = request.url;
  const known = [...new Set([...prefixes, ''])].filter((prefix) => pathname.startsWith(prefix));
  const inside = known.map((prefix) => pathname.slice(prefix.length));
  // a literal path before a template
  const names = Object.keys(paths).sort((one, other) => one.split('{').length - other.split('{').length);
  const path = names.find((name) => inside.some((one) => patternOf(name).test(one)));
  const { parameters: shared = [], [request.method.toLowerCase()]: found } = (path && paths[path]) || {};
  if (!found) return undefined;
  const operation = found as Operation;
  return { ...operation, parameters: [...(shared as Parameter[]), ...(operation.parameters ?? [])] };
}

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split(/\{[^}]+\}/)
      .map((part) => part.replace(/[^\w/-]/g, '\\$&'))
      .join('[^/]+')}$`,
  );

function requestFaults({ request }: Exchange, operation: Operation, document: ApiDocument): string[] {
  const query = request.url.searchParams;
  const parameters = (operation.parameters ?? []).map((one) => resolved(one, document));
  const inQuery = parameters.filter((one) => one.in === 'query');
  const isKnown = (name: string) => inQuery.some((one) => one.name === name.replace(/\[.*$/, '') || one.name === name);
  const options: SchemaOptions = { document, refusesUnknown: true, isText: true };
  return [
    ...[...query.keys()].filter((name) => !isKnown(name)).map((name) => `the parameter ${name} is unknown`),
    ...inQuery.flatMap(({ name = '', required, schema = {} }) => {
      const value = query.get(name);
      if (value === null)
        return required && ![...query.keys()].some((key) => key.startsWith(`${name}[`))
          ? [`the parameter ${name} is required`]
          : [];
      return schemaFaults(value, schema, options, `the parameter ${name}`);
    }),
    ...bodyFaults(request.body, operation.requestBody, document),
  ];
}

function bodyFaults(body: string | undefined, given: Content | undefined, document: ApiDocument): string[] {
  const { content = {}, required = false } = given ? resolved(given, document) : {};
  if (body === undefined || body === '') return required ? ['the body is required'] : [];
  const json = Object.keys(content).find((type) => /json/.test(type));
  const isForm = json === undefined && Object.keys(content).some((type) => /form-urlencoded/.test(type));
  const { schema } = content[json ?? 'application/x-www-form-urlencoded'] ?? {};
  if (!schema) return ['the document has no body for it'];
  const value = isForm ? fieldsOf(body) : (JSON.parse(body) as unknown);
  return schemaFaults(value, schema, { document, refusesUnknown: true, isText: isForm });
}

function answerFaults({ answer }: Exchange, { responses = {} }: Operation, document: ApiDocument): string[] {
  if (!answer) return [];
  const { statusCode: status, body } = answer;
  const given = responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses['default'];
  if (!given) return [`the document has no answer ${status}`];
  const content = Object.entries(resolved(given, document).content ?? {}).find(([type]) => /json/.test(type));
  if (!content?.[1].schema || body.length === 0) return [];
  const value = JSON.parse(body.toString()) as unknown;
  return schemaFaults(value, content[1].schema, { document, refusesUnknown: false, isText: false });
}

type Fields = { [name: string]: string | Fields };

/** The fields of a form, with names such as `metadata[reference]`. */
function fieldsOf(body: string): unknown {
  const fields: Fields = Object.create(null) as Fields;
  for (const [name, value] of new URLSearchParams(body)) {
    const parts = name.split(/[[\]]+/).filter(Boolean);
    let inside = fields;
    for (const part of parts.slice(0, -1)) {
      const next = inside[part];
      inside = typeof next === 'object' ? next : (inside[part] = Object.create(null) as Fields);
    }
    inside[parts.at(-1) ?? ''] = value;
  }
  return withLists(fields);
}

/** Fields that are named by numbers, such as `expand[0]`, are a list. */
function withLists(fields: Fields): unknown {
  const entries = Object.entries(fields).map(
    ([name, value]) => [name, typeof value === 'string' ? value : withLists(value)] as const,
  );
  const isList = entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
