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
  content: Record<string, { schema?: Schema } | undefined>;
}

/**
 * Documents the rules of the validation pipe for every body that it checks: unknown fields are refused, and a missing
 * body counts as empty.
 */
export function describeBodies(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  // schemas without a class set `additionalProperties` themselves
  const find = (schema: Schema): Schema => (schema.$ref ? (schemas[schema.$ref.split('/').at(-1)!] ?? {}) : schema);
  for (const { operation } of operationsOf(document)) {
    const { requestBody } = operation;
    const schema = (requestBody as Body | undefined)?.content['application/json']?.schema;
    // the routes without a bearer token read their bodies themselves
    if (!schema || !isSecured(operation)) continue;
    close(schema, find);
    (requestBody as Body).required = (find(schema).required ?? []).length > 0;
  }
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
