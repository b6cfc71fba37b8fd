import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { DATA_SCHEMAS } from '../../../src/webhooks/event-types/data-schemas.js';
import { describedEvent, EVENT_TYPES, type EventType } from '../../../src/webhooks/event-types/event-catalogue.js';
import { EVENT_SCHEMAS, WEBHOOKS } from '../../../src/webhooks/event-types/event-openapi.js';
import { PAYMENT_STATUSES } from '../../../src/payments/money/state/payment-state.js';

/** Schemas that classes of the API describe. */
const OF_CLASSES = {
  PaymentStatus: { enum: PAYMENT_STATUSES },
  ShopReference: { type: 'object', required: ['id', 'name'], properties: { id: {}, name: {} } },
};

type Node = Record<string, unknown>;

/** The schema without room for unknown properties, so that an undocumented one is found. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  return 'properties' in node ? { ...inner, additionalProperties: false } : inner;
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
ajv.addFormat('double', { type: 'number', validate: Number.isFinite });
ajv.addSchema({ $id: 'document', components: { schemas: closed({ ...OF_CLASSES, ...EVENT_SCHEMAS }) } });

const compiled = (name: string): ValidateFunction =>
  ajv.getSchema(`document#/components/schemas/${name}`) ??
  ajv.compile({ $ref: `document#/components/schemas/${name}` });

const errorsOf = (validate: ValidateFunction, value: unknown): ErrorObject[] =>
  validate(value) ? [] : (validate.errors ?? []);

/** The name of the schema of a type's webhook in the API document. */
function bodySchemaOf(type: EventType): string {
  const { post } = WEBHOOKS[type] as unknown as {
    post: { requestBody: { content: Record<string, { schema: Node }> } };
  };
  return String(post.requestBody.content['application/json']!.schema['$ref']).split('/').at(-1)!;
}

/** The errors of a whole webhook body of this type; empty: none. */
export const bodyErrors = (type: EventType, body: unknown): ErrorObject[] =>
  errorsOf(compiled(bodySchemaOf(type)), body);

/** The errors of `data` of an event of `GET /events`; empty: none. */
export function dataErrors({ type, data }: { type: string; data: unknown }): ErrorObject[] {
  const known = EVENT_TYPES.find((each) => each === type);
  if (known === undefined) throw new Error(`the catalogue does not have ${type}`);
  const { dataSchema } = describedEvent(known);
  return errorsOf(compiled(dataSchema ?? bodySchemaOf(known)), data);
}

/** Every property name inside the schemas of `data`. */
export const dataProperties = (): string[] =>
  Object.values(DATA_SCHEMAS).flatMap(({ properties }) => Object.keys(properties as Node));
