import { flattened, type OpenApiDocument, type Operation } from './openapi-operations.js';

type Examples = Record<string, { value: unknown }>;
interface Media {
  schema: object;
  examples?: Examples;
}

export const mediaOf = (document: OpenApiDocument, { path, method }: Operation): Media => {
  const operation = document.paths[path]![method.toLowerCase()]!;
  return operation.requestBody!.content['application/json'] as Media;
};

/** The body that Swagger UI puts into the form: its first example, or one built from the examples of its fields. */
export function prefilled(document: OpenApiDocument, operation: Operation): unknown {
  const { schema, examples } = mediaOf(document, operation);
  if (examples) return Object.values(examples)[0]!.value;
  const { properties = {} } = flattened(document, schema);
  const fields = Object.entries(properties).map(([name, field]) => [name, flattened(document, field).example]);
  return Object.fromEntries(fields) as object;
}

/** The path with the examples of its parameters. */
export const prefilledPath = ({ path, parameters }: Operation): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(parameters.find((parameter) => parameter.name === name)?.schema?.example),
  );
