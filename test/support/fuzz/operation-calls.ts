import { flattened, type OpenApiDocument, type Operation, type Parameter, type Schema } from './openapi-operations.js';
import { SHARED_KINDS } from '../app/seeded-merchant.js';
import type { RawRequest } from './raw-request.js';

type Ids = Record<string, number | string>;

/** A place for an id in the query or the body of an operation, such as `shops[].shop_id`. */
export interface IdPlace {
  in: 'query' | 'body';
  path: string;
  kind: string;
}

/** Fields and query parameters that contain the id of an object but are not named after it. */
const KINDS_BY_NAME: Record<string, string> = {
  never: 'shop',
  object_id: 'shop',
  shop_ids: 'shop',
  version: 'version',
  flow_name: 'flow_name',
  payment_method_id: 'method',
};
const MAX_DEPTH = 7;

/** Values for fields without an id and without an example in the document. */
const byType: Record<string, unknown> = { string: 'text', number: 1, integer: 1, boolean: true, object: {} };

/** Calls of operations as the document describes them, with the ids of a merchant's objects. */
export class OperationCalls {
  constructor(private readonly document: OpenApiDocument) {}

  /**
   * The kind of object that a path parameter names: a flow for `/flows/{id}`, a shop for
   * `/webhooks/shop/{shopId}/test`.
   */
  static kindOf({ path, name }: Operation, parameter: string, ids: Ids): string {
    const collection = path
      .slice(0, path.indexOf(`/{${parameter}}`))
      .split('/')
      .at(-1)!;
    const kind = parameter === 'id' ? singular(collection) : singular(parameter.replace(/Id$/, ''));
    if (ids[kind] === undefined)
      throw new Error(`${name}: seedMerchant creates no ${kind}, so {${parameter}} is not tested`);
    return kind;
  }

  /** The path and the required query, with ids from `ids`. */
  static path(operation: Operation, ids: Ids): string {
    const path = operation.path.replace(/\{(\w+)\}/g, (_, parameter: string) =>
      String(ids[OperationCalls.kindOf(operation, parameter, ids)]),
    );
    const query = queryText(OperationCalls.query(operation, ids));
    return query === '' ? path : `${path}?${query}`;
  }

  private static query({ parameters }: Operation, ids: Ids): Record<string, unknown> {
    const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
    const values = required.map(({ name, schema }) => [
      name,
      ids[kindOfField(name, ids) ?? ''] ?? schema?.example ?? 'x',
    ]);
    return Object.fromEntries(values) as Record<string, unknown>;
  }

  /** A call that the owner would make; `place` gets `value`, and optional fields are omitted then. */
  call(operation: Operation, ids: Ids, place?: IdPlace, value?: number | string): RawRequest {
    const own = OperationCalls.path(operation, ids);
    const required =
      place?.in === 'query' ? { ...OperationCalls.query(operation, ids), [place.path]: value } : undefined;
    const path = required ? `${own.split('?')[0]}?${queryText(required)}` : own;
    const request = { method: operation.method, path };
    if (!operation.body) return request;
    const body = this.build(operation.body, { ids, target: place?.in === 'body' ? place.path : undefined, value }, '');
    return { ...request, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }

  /** Every place of an id that belongs to a merchant. Throws for a field that looks like the id of an unknown kind. */
  idPlaces(operation: Operation, ids: Ids): IdPlace[] {
    const queries = operation.parameters
      .filter((parameter): parameter is Parameter => parameter.in === 'query')
      .map(({ name }): IdPlace => ({ in: 'query', path: name, kind: kindOfField(name, ids, operation) ?? '' }));
    const fields = operation.body ? this.placesIn(operation, operation.body, '', ids, 0) : [];
    return [...queries, ...fields].filter(({ kind }) => kind !== '' && !SHARED_KINDS.includes(kind));
  }

  private placesIn(operation: Operation, schema: Schema, path: string, ids: Ids, depth: number): IdPlace[] {
    const { properties = {}, items } = flattened(this.document, schema);
    if (depth > MAX_DEPTH) return [];
    if (items) return this.placesIn(operation, items, `${path}[]`, ids, depth + 1);
    return Object.entries(properties).flatMap(([name, property]): IdPlace[] => {
      const inner = path === '' ? name : `${path}.${name}`;
      const kind = kindOfField(name, ids, operation, flattened(this.document, property));
      if (kind !== undefined) return [{ in: 'body', path: isList(property) ? `${inner}[]` : inner, kind }];
      return this.placesIn(operation, property, inner, ids, depth + 1);
    });
  }

  private build(
    schema: Schema,
    wanted: { ids: Ids; target: string | undefined; value: unknown },
    path: string,
  ): unknown {
    if (path === wanted.target) return wanted.value;
    const { properties, required = [], items, enum: choices, example, type } = flattened(this.document, schema);
    if (properties) {
      // a request names a shop or an endpoint
      const isExcluded = (name: string): boolean => name === 'endpoint_id' && 'shop_id' in properties;
      const names = Object.keys(properties).filter(
        (name) =>
          required.includes(name) ||
          leadsTo(path === '' ? name : `${path}.${name}`, wanted.target) ||
          (wanted.target === undefined &&
            path === '' &&
            kindOfField(name, wanted.ids) !== undefined &&
            !isExcluded(name)),
      );
      const fields = names.map((name) => [name, this.buildField(name, properties[name]!, wanted, path)]);
      return Object.fromEntries(fields) as object;
    }
    if (items) return [this.build(items, wanted, `${path}[]`)];
    return example ?? choices?.[0] ?? byType[Array.isArray(type) ? type[0]! : (type ?? 'object')];
  }

  private buildField(
    name: string,
    property: Schema,
    wanted: Parameters<OperationCalls['build']>[1],
    path: string,
  ): unknown {
    const inner = path === '' ? name : `${path}.${name}`;
    const kind = kindOfField(name, wanted.ids, undefined, flattened(this.document, property));
    if (kind === undefined || leadsTo(inner, wanted.target)) return this.build(property, wanted, inner);
    return isList(property) ? [wanted.ids[kind]] : wanted.ids[kind];
  }
}

const queryText = (query: Record<string, unknown>): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
const isList = ({ items, type }: Schema): boolean => items !== undefined || type === 'array';
const isNumber = ({ type }: Schema = {}): boolean => type === 'number' || type === 'integer';
const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');
const leadsTo = (path: string, target: string | undefined): boolean =>
  target !== undefined && (target === path || target.startsWith(`${path}.`) || target.startsWith(`${path}[`));

/** Ids that a card network gives: no object of ours has them. */
const IDS_OF_OTHERS = ['network_transaction_id'];

/** `shop_id`, a list `shops` of numbers, and the names in KINDS_BY_NAME; `undefined` for other fields. */
function kindOfField(name: string, ids: Ids, operation?: Operation, schema?: Schema): string | undefined {
  if (IDS_OF_OTHERS.includes(name)) return undefined;
  const isIdList = schema?.items !== undefined && isNumber(schema.items);
  const byShape = isIdList ? singular(name) : name.endsWith('_id') ? name.slice(0, -3) : undefined;
  const kind = KINDS_BY_NAME[name] ?? byShape;
  if (kind === undefined || ids[kind] !== undefined) return kind;
  if (!operation?.scopes) return undefined;
  throw new Error(`${operation.name}: seedMerchant creates no ${kind}, so the field ${name} is not tested`);
}
