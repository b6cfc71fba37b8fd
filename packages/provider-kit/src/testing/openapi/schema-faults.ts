import { isObject } from '../../is-object.js';

/** The part of a JSON Schema that API documents use. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  nullable?: boolean;
  enum?: readonly unknown[];
  const?: unknown;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  maxLength?: number;
  pattern?: string;
}

export interface SchemaOptions {
  document: object;
  /** Fields that the schema does not have are faults, too: so it is for requests. */
  refusesUnknown: boolean;
  /** Texts are numbers and flags as well: so it is in forms and queries. */
  isText: boolean;
}

/** The object that a reference such as `#/components/schemas/payment` names. Throws if there is none. */
export function resolved<T extends { $ref?: string }>(of: T, document: object): T {
  let found: T = of;
  while (found.$ref !== undefined) {
    const parts = found.$ref.replace(/^#\//, '').split('/');
    const names = parts.map((part) => decodeURIComponent(part.replaceAll('~1', '/').replaceAll('~0', '~')));
    const next = names.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), document);
    if (!isObject(next)) throw new Error(`the document has no ${found.$ref}`);
    found = next as T;
  }
  return found;
}

/** The differences of a value from a schema, with their places. */
export function schemaFaults(value: unknown, given: Schema, options: SchemaOptions, at = 'body'): string[] {
  const schema = resolved(given, options.document);
  if (value === null && (schema.nullable || typesOf(schema).includes('null'))) return [];
  const { allOf, anyOf = schema.oneOf } = schema;
  if (anyOf && anyOf.length > 0) {
    const all = anyOf.map((one) =>
      schemaFaults(value, { ...merged(schema, options), ...flat(one, schema, options) }, options, at),
    );
    return all.find((faults) => faults.length === 0) ?? all.sort((one, other) => one.length - other.length)[0]!;
  }
  if (allOf && allOf.length > 0) return schemaFaults(value, merged(schema, options), options, at);
  return [...valueFaults(value, schema, options, at), ...fieldFaults(value, schema, options, at)];
}

function valueFaults(value: unknown, schema: Schema, { isText }: SchemaOptions, at: string): string[] {
  const { enum: values, const: only, maxLength, pattern } = schema;
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOfType(value, type, isText)))
    return [`${at} must be ${types.join(' or ')}`];
  const same = (one: unknown) => one === value || (isText && String(one) === value);
  if (values && !values.some(same)) return [`${at} must be one of ${values.slice(0, 20).join(', ')}`];
  if (only !== undefined && !same(only)) return [`${at} must be ${JSON.stringify(only)}`];
  if (typeof value !== 'string') return [];
  if (maxLength !== undefined && value.length > maxLength) return [`${at} has more than ${maxLength} characters`];
  return pattern !== undefined && !new RegExp(pattern, 'u').test(value) ? [`${at} must match ${pattern}`] : [];
}

function fieldFaults(value: unknown, schema: Schema, options: SchemaOptions, at: string): string[] {
  const { items, properties = {}, required = [], additionalProperties: others } = schema;
  if (Array.isArray(value))
    return items ? value.flatMap((one, index) => schemaFaults(one, items, options, `${at}.${index}`)) : [];
  if (!isObject(value)) return [];
  const absent = required.filter((name) => value[name] === undefined).map((name) => `${at}.${name} is required`);
  const isOpen = schema.properties === undefined || others === true;
  const rest = Object.entries(value).flatMap(([name, one]) => {
    if (one === undefined) return [];
    if (Object.hasOwn(properties, name)) return schemaFaults(one, properties[name]!, options, `${at}.${name}`);
    if (isObject(others)) return schemaFaults(one, others, options, `${at}.${name}`);
    return options.refusesUnknown && (others === false || !isOpen) ? [`${at}.${name} is unknown`] : [];
  });
  return [...absent, ...rest];
}

const typesOf = ({ type = [] }: Schema): readonly string[] => (typeof type === 'string' ? [type] : type);

/** The schema without `allOf` and alternatives: the fields of all parts together. */
function merged(schema: Schema, options: SchemaOptions): Schema {
  const { allOf = [], anyOf: _any, oneOf: _one, ...own } = schema;
  return allOf.reduce<Schema>((sum, part) => flat(part, sum, options), own);
}

function flat(part: Schema, onto: Schema, options: SchemaOptions): Schema {
  const { $ref: _, ...one } = resolved(part, options.document);
  const whole = one.allOf ? merged(one, options) : one;
  return {
    ...onto,
    ...whole,
    ...((onto.properties ?? whole.properties) && { properties: { ...onto.properties, ...whole.properties } }),
    required: [...(onto.required ?? []), ...(whole.required ?? [])],
    allOf: [],
    anyOf: whole.anyOf ?? whole.oneOf ?? [],
    oneOf: [],
  };
}

function isOfType(value: unknown, type: string, isText: boolean): boolean {
  if (isText && typeof value === 'string') {
    if (type === 'integer') return /^-?\d+$/.test(value);
    if (type === 'number') return value !== '' && Number.isFinite(Number(value));
    if (type === 'boolean') return value === 'true' || value === 'false';
  }
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return type === 'null' ? value === null : typeof value === type;
}
