import type { OpenAPIObject } from '@nestjs/swagger';
import type { Schema } from './schemas.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

type Method = (typeof METHODS)[number];
export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** Every operation of the document with its path and method. */
export const operationsOf = ({ paths }: OpenAPIObject): { path: string; method: Method; operation: Operation }[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] }] : [])),
  );

/** Whether the operation requires a bearer token. */
export const isSecured = ({ security = [] }: Operation): boolean =>
  security.some((requirement) => 'bearer' in requirement);

interface Body {
  required?: boolean;
  content: Record<string, { schema?: Schema; example?: unknown; examples?: object } | undefined>;
}

/**
 * Documents an example of every body, and the rules of the validation pipe for those that it checks: unknown fields are
 * refused, and a missing body counts as empty.
 */
export function describeBodies(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  // schemas without a class set `additionalProperties` themselves
  const find = (schema: Schema): Schema => (schema.$ref ? (schemas[schema.$ref.split('/').at(-1)!] ?? {}) : schema);
  for (const { operation } of operationsOf(document)) {
    const { requestBody } = operation;
    for (const media of Object.values((requestBody as Body | undefined)?.content ?? {})) {
      if (media?.schema && !media.examples) media.example = exampleOf(media.schema, find);
    }
    const schema = (requestBody as Body | undefined)?.content['application/json']?.schema;
    // the routes without a bearer token read their bodies themselves
    if (!schema || !isSecured(operation)) continue;
    close(schema, find);
    (requestBody as Body).required = (find(schema).required ?? []).length > 0;
  }
}

/** The example of the schema, otherwise one of the examples of its fields: what Swagger UI puts into the form. */
function exampleOf(schema: Schema, find: (schema: Schema) => Schema): unknown {
  const { example, properties, allOf = [], items, enum: values } = find(schema);
  const given = schema.example ?? example;
  if (given !== undefined) return given;
  const [part] = allOf;
  if (part && !properties) return exampleOf(part, find);
  if (!properties) return items && exampleOf(items, find) !== undefined ? [exampleOf(items, find)] : values?.[0];
  const fields = Object.entries(properties).map(([name, field]) => [name, exampleOf(field, find)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function close(schema: Schema, find: (schema: Schema) => Schema, done = new Set<Schema>()): void {
  const found = find(schema);
  if (done.has(found)) return;
  done.add(found);
  if (found.properties && found.additionalProperties === undefined) found.additionalProperties = false;
  const inner = [
    ...Object.values(found.properties ?? {}),
    ...(found.allOf ?? []),
    ...(found.items ? [found.items] : []),
  ];
  for (const part of inner) close(part, find, done);
}
