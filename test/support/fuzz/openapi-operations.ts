import { readFileSync } from 'node:fs';

/** JSON Schema 2020-12, as far as the document uses it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
  example?: unknown;
  'x-example'?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  schema?: Schema;
}

interface Response {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: Schema }>;
}

interface OperationObject {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Response | { $ref: string }>;
  security?: Record<string, string[]>[];
}

export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

/** One operation of the document, with its references to responses resolved. */
export interface Operation {
  /** For example `GET /flows/{id}`. */
  name: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** The schema of the JSON body. */
  body: Schema | undefined;
  /** By status. */
  responses: Record<string, Response>;
  /** The scopes that a bearer token needs; `undefined`: the operation takes no token. */
  scopes: string[] | undefined;
}

const FILE = new URL('../../../docs/openapi.json', import.meta.url);

/**
 * The document of a built service, which test/e2e/openapi-document.spec.ts compares with the served one. A service in
 * the test's process has less information: the compiler's plugin reads the fields of answers only during the build.
 */
export const committedOpenApi = (): OpenApiDocument => JSON.parse(readFileSync(FILE, 'utf8')) as OpenApiDocument;

export const operationsOf = ({ paths, components }: OpenApiDocument): Operation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Operation => {
      const name = `${method.toUpperCase()} ${path}`;
      const responses = Object.entries(operation.responses).map(([status, response]) => [
        status,
        '$ref' in response ? components.responses[response.$ref.split('/').at(-1)!]! : response,
      ]);
      return {
        name,
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters ?? [],
        body: operation.requestBody?.content['application/json']?.schema,
        responses: Object.fromEntries(responses) as Record<string, Response>,
        scopes: operation.security?.find((requirement) => 'bearer' in requirement)?.['bearer'],
      };
    }),
  );

/** A condition contains itself, and ids in it are never looked up, so its example is enough for requests. */
const CONDITION = '#/components/schemas/Condition';

/** The schema with `$ref` and `allOf` at its top resolved, and the properties of all parts merged. */
export function flattened(document: OpenApiDocument, schema: Schema): Schema {
  if (schema.$ref === CONDITION) {
    return { type: 'object', example: schema.example ?? document.components.schemas['Condition']!.example };
  }
  if (schema.$ref !== undefined) {
    return flattened(document, document.components.schemas[schema.$ref.split('/').at(-1)!]!);
  }
  const parts = (schema.allOf ?? []).map((part) => flattened(document, part));
  return parts.reduce<Schema>(
    (whole, part) => ({
      ...whole,
      ...part,
      properties: { ...whole.properties, ...part.properties },
      required: [...(whole.required ?? []), ...(part.required ?? [])],
    }),
    schema,
  );
}
