import type { OpenAPIObject } from '@nestjs/swagger';
import { ANY_TYPE, ENUM_NAME } from './api-field.js';

/** For tools that generate requests from the document. */
const EXAMPLE = 'x-example';

/**
 * A schema as Nest writes it: OpenAPI 3.0 with `nullable`, in a document of OpenAPI 3.1. It is refined because
 * generators of Python, Go and Java clients turn Nest's document into code that does not compile (decision 037).
 */
export interface Schema {
  $ref?: string;
  title?: string;
  description?: string;
  example?: unknown;
  [EXAMPLE]?: unknown;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  default?: unknown;
  nullable?: boolean;
  [ENUM_NAME]?: string;
  [ANY_TYPE]?: true;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

type Schemas = Record<string, Schema>;
type Step = (schema: Schema, name: string, enums: Schemas) => Schema;

const NULL: Schema = { type: 'null' };

export const schemaRef = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/**
 * Converts every schema of the document into the form that generators need: integers and times have a format, `null` is
 * a type, enums and answers have names, and no name ends in `Dto`. `named`: schemas that others refer to and that no
 * class describes.
 */
export function refineSchemas(document: OpenAPIObject, named: Record<string, object>): OpenAPIObject {
  const schemas: Schemas = { ...(document.components?.schemas as Schemas), ...named };
  const enums = enumsOf(schemas);
  const refinedSchemas: Schemas = { ...enums };
  for (const [name, schema] of Object.entries(schemas)) refinedSchemas[name] = refined(schema, name, enums);
  const { paths, ...rest } = document;
  const whole = { ...rest, paths: withNamedAnswers(refinePlaces(paths, enums), refinedSchemas) };
  return withoutSuffix({ ...whole, components: { ...document.components, schemas: refinedSchemas } });
}

/** Converts each `schema` in the paths. An enum of a parameter stays inline. */
function refinePlaces<T>(node: T, enums: Schemas): T {
  if (Array.isArray(node)) return node.map((item: unknown) => refinePlaces(item, enums)) as T;
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(isOptionalQuery(node) ? withExampleInDescription(node) : node).map(([key, value]) =>
    key === 'schema'
      ? [key, refined(value as Schema, '', 'in' in node ? {} : enums)]
      : [key, refinePlaces(value as unknown, enums)],
  );
  return Object.fromEntries(entries) as T;
}

interface Parameter {
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

const isOptionalQuery = (node: object): node is Parameter =>
  'in' in node && node.in === 'query' && !('required' in node && node.required) && 'schema' in node;

/** Moves the example into the description: Swagger UI would prefill it, and filter the list by it. */
function withExampleInDescription({ schema: { example, ...schema }, ...parameter }: Parameter): Parameter {
  if (example === undefined) return { ...parameter, schema };
  const text = `Example: \`${JSON.stringify(example).replaceAll('"', '')}\`.`;
  const description = [parameter.description, text].filter(Boolean).join(' ');
  return { ...parameter, description, schema: { ...schema, [EXAMPLE]: example } };
}

function refined(schema: Schema, name: string, enums: Schemas): Schema {
  const whole = { ...schema };
  if (whole.properties) {
    // Nest lists properties with their own decorator first
    const { id, ...others } = whole.properties;
    const ordered = Object.entries({ ...(id && { id }), ...others });
    whole.properties = Object.fromEntries(ordered.map(([key, part]) => [key, refined(part, key, enums)]));
  }
  if (whole.items) whole.items = refined(whole.items, name, enums);
  if (typeof whole.additionalProperties === 'object') {
    whole.additionalProperties = refined(whole.additionalProperties, '', enums);
  }
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
    const parts = whole[key];
    if (parts) whole[key] = parts.map((part) => refined(part, '', enums));
  }
  return STEPS.reduce((result, step) => step(result, name, enums), whole);
}

const withAnyType: Step = ({ [ANY_TYPE]: isAny, ...schema }) => {
  if (!isAny) return schema;
  const { type: _type, nullable: _nullable, ...rest } = schema;
  return rest;
};

/** Converts Nest's type list with `null` to one type for the next steps; `withNull` restores it. */
const withOneType: Step = (schema) => {
  const { type } = schema;
  if (!Array.isArray(type) || type.length !== 2 || !type.includes('null')) return schema;
  const values = schema.enum?.filter((value) => value !== null);
  return { ...schema, type: type.find((each) => each !== 'null')!, nullable: true, ...(values && { enum: values }) };
};

/** A number that is not marked as decimal (`@ApiDecimal()`) is an integer, with more than 32 bits. */
const withNumberFormat: Step = (schema) => {
  const isNumber = schema.type === 'number' || schema.type === 'integer';
  return isNumber && schema.format === undefined ? { ...schema, type: 'integer', format: 'int64' } : schema;
};

const withTimeFormat: Step = (schema, name) => {
  const isTime = schema.type === 'string' && !schema.format && !schema.enum && /(^|_)at$|^since$/.test(name);
  return isTime ? { ...schema, format: 'date-time' } : schema;
};

/** `currency` is not a format of JSON Schema: Nest's plugin confuses our `IsCurrency` with another decorator. */
const withoutUnknownFormat: Step = ({ format, ...schema }) =>
  format === undefined || format === 'currency' ? schema : { ...schema, format };

/**
 * Writes the default into the description: with the keyword, generators make the field required, or freeze today's
 * default.
 */
const withDefaultInDescription: Step = ({ default: value, ...schema }, name) => {
  if (value === undefined || name === '') return value === undefined ? schema : { ...schema, default: value };
  const text = `Default: \`${JSON.stringify(value)}\`.`;
  return { ...schema, description: [schema.description, text].filter(Boolean).join(' ') };
};

const withNamedEnum: Step = ({ [ENUM_NAME]: given, ...schema }, _, enums) => {
  const values = schema.enum;
  const name = given ?? (values && Object.keys(enums).find((each) => hasValues(enums[each]!, values)));
  if (name === undefined || !(name in enums)) return values ? { ...schema, enum: sorted(values) } : schema;
  const { type: _type, enum: _enum, ...rest } = schema;
  return { ...rest, allOf: [schemaRef(name)] };
};

const withNull: Step = ({ nullable, ...schema }) => {
  if (!nullable) return schema;
  const { allOf, oneOf, type, ...rest } = schema;
  if (allOf) return { ...rest, anyOf: [...allOf, NULL] };
  if (oneOf) return { ...rest, oneOf: [...oneOf, NULL] };
  if (typeof type !== 'string') return schema;
  return { ...schema, type: [type, 'null'], ...(schema.enum && { enum: [...schema.enum, null] }) };
};

/** OpenAPI 3.1 allows a description next to a reference. */
const withPlainReference: Step = ({ allOf, ...schema }) => {
  if (allOf?.length !== 1 || allOf[0]!.$ref === undefined) return allOf ? { ...schema, allOf } : schema;
  const { type: _type, ...rest } = schema;
  return { ...rest, ...allOf[0] };
};

const STEPS: Step[] = [
  withAnyType,
  withOneType,
  withoutUnknownFormat,
  withNumberFormat,
  withTimeFormat,
  withDefaultInDescription,
  withNamedEnum,
  withNull,
  withPlainReference,
];

/** All enums that `@ApiEnum` names. */
function enumsOf(schemas: Schemas): Schemas {
  const enums: Schemas = {};
  const visit = (schema: Schema): void => {
    const name = schema[ENUM_NAME];
    const values = schema.enum?.filter((value) => value !== null);
    if (name !== undefined && values) enums[name] ??= { type: 'string', enum: values };
    const { properties = {}, items, additionalProperties } = schema;
    const further = [items, additionalProperties].filter((part) => typeof part === 'object');
    for (const part of [...Object.values(properties), ...further]) visit(part);
  };
  for (const schema of Object.values(schemas)) visit(schema);
  return enums;
}

const hasValues = (schema: Schema, values: unknown[]): boolean =>
  JSON.stringify(sorted(schema.enum ?? [])) === JSON.stringify(sorted(values));

/** The compiler's order of union members is not stable. */
const sorted = (values: unknown[]): unknown[] => [...values].sort();

/** Answer bodies with a title become schemas of that name. */
function withNamedAnswers<T>(node: T, schemas: Schemas): T {
  if (Array.isArray(node)) return node.map((item: unknown) => withNamedAnswers(item, schemas)) as T;
  if (typeof node !== 'object' || node === null) return node;
  const { schema } = node as { schema?: Schema };
  if (schema?.title !== undefined) {
    const { title, ...body } = schema;
    schemas[title] = body;
    return { ...node, schema: schemaRef(title) };
  }
  const entries = Object.entries(node).map(([key, value]) => [key, withNamedAnswers(value as unknown, schemas)]);
  return Object.fromEntries(entries) as T;
}

/** Renames `ShopDto` to `Shop`, in its definition and in references. Throws if two schemas would get the same name. */
function withoutSuffix(document: OpenAPIObject): OpenAPIObject {
  const text = JSON.stringify(document).replace(/("#\/components\/schemas\/\w+?)Dto"/g, '$1"');
  const plain = JSON.parse(text) as OpenAPIObject;
  const entries = Object.entries(plain.components!.schemas!).map(([name, schema]) => [
    name.replace(/Dto$/, ''),
    schema,
  ]);
  const names = new Set(entries.map(([name]) => name));
  if (names.size < entries.length) throw new Error('two schemas of the document have the same name without Dto');
  const sortedEntries = entries.sort(([one], [other]) => ((one as string) < (other as string) ? -1 : 1));
  plain.components!.schemas = Object.fromEntries(sortedEntries) as Record<string, object>;
  return plain;
}
