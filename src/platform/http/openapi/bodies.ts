import type { OpenAPIObject } from '@nestjs/swagger';

/** A schema, as far as its objects and their fields go. */
interface Schema {
  $ref?: string;
  type?: unknown;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  items?: Schema;
  allOf?: Schema[];
}

interface Body {
  required?: boolean;
  content: Record<string, { schema?: Schema } | undefined>;
}

/**
 * Says of every body that the validation pipe checks what the pipe does: fields that a body does not take are refused,
 * and no body counts as an empty one.
 */
export function describeBodies(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  // what no class describes is closed where it is written
  const find = (schema: Schema): Schema => (schema.$ref ? (schemas[schema.$ref.split('/').at(-1)!] ?? {}) : schema);
  for (const { requestBody, security } of operationsOf(document)) {
    const schema = (requestBody as Body | undefined)?.content['application/json']?.schema;
    // the routes without a bearer token read their bodies themselves
    if (!schema || !security?.some((requirement) => 'bearer' in requirement)) continue;
    close(schema, find);
    (requestBody as Body).required = (find(schema).required ?? []).length > 0;
  }
}

const operationsOf = ({ paths }: OpenAPIObject) =>
  Object.values(paths).flatMap(({ get, post, put, patch, delete: remove }) =>
    [get, post, put, patch, remove].filter((operation) => operation !== undefined),
  );

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
