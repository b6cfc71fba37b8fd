/** A JSON schema (2020-12, as OpenAPI 3.1 uses it). */
export type JsonSchema = Record<string, unknown>;

export const integer: JsonSchema = { type: 'integer', format: 'int64' };
export const integerOrNull: JsonSchema = { type: ['integer', 'null'], format: 'int64' };
export const text: JsonSchema = { type: 'string' };
export const textOrNull: JsonSchema = { type: ['string', 'null'] };
/** Any number, not of money. */
export const decimal: JsonSchema = { type: 'number', format: 'double' };
export const boolean: JsonSchema = { type: 'boolean' };
/** In the currency's major unit. */
export const amount: JsonSchema = { type: 'number', format: 'double' };
export const time: JsonSchema = { type: 'string', format: 'date-time' };
export const timeOrNull: JsonSchema = { type: ['string', 'null'], format: 'date-time' };
export const freeForm: JsonSchema = { type: 'object', additionalProperties: true };

export const oneOf = (...values: string[]): JsonSchema => ({ type: 'string', enum: values });

/** An enum that no class names, marked as `ApiEnum` does it. Not imported: a worker loads no Swagger. */
export const namedEnum = (name: string, ...values: string[]): JsonSchema => ({
  ...oneOf(...values),
  'x-enum-name': name,
});

export const described = (schema: JsonSchema, description: string): JsonSchema => ({ ...schema, description });

/** An object as of `objectOf`, or `null`. */
export const objectOrNull = (properties: Record<string, JsonSchema>, description: string): JsonSchema => ({
  ...objectOf(properties, description),
  type: ['object', 'null'],
});

/** An object that always has all these properties. A later version may add more. */
export const objectOf = (properties: Record<string, JsonSchema>, description?: string): JsonSchema => ({
  type: 'object',
  ...(description !== undefined && { description }),
  required: Object.keys(properties),
  properties,
});
