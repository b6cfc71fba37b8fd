import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ID_SCHEMA, malformedParameter, positiveInteger } from '../../platform/http/validation/id-param.js';

/** A delivery's `id`, or the `webhook-id` that its receiver sees. */
export type DeliveryId = number | `whd_${string}`;

/** `whd_` and a UUIDv7, as the SQL function `webhook_id` returns it. */
const WEBHOOK_ID = /^whd_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-b[0-9a-f]{3}-[0-9a-f]{12}$/;

const SCHEMA = {
  oneOf: [
    ID_SCHEMA,
    { type: 'string', pattern: WEBHOOK_ID.source, example: 'whd_019aa3f2-1d80-7c3e-b1f4-6a0d2c9e8b57' },
  ],
  example: 1,
};

const isWebhookId = (text: string): text is `whd_${string}` => WEBHOOK_ID.test(text);

class DeliveryIdPipe implements PipeTransform<string, DeliveryId> {
  constructor(private readonly parameter: string) {}

  transform(value: string): DeliveryId {
    const id = isWebhookId(value) ? value : positiveInteger(value);
    if (id !== undefined) return id;
    throw malformedParameter(this.parameter, 'must be a positive integer or a webhook-id');
  }
}

/** A path parameter that identifies a delivery. A value that is neither an `id` nor a `webhook-id` causes a 400. */
export const DeliveryIdParam =
  (parameter: string): ParameterDecorator =>
  (target, method, index) => {
    Param(parameter, new DeliveryIdPipe(parameter))(target, method, index);
    const descriptor = Object.getOwnPropertyDescriptor(target, method!) as TypedPropertyDescriptor<unknown>;
    ApiParam({ name: parameter, schema: SCHEMA })(target, method!, descriptor);
  };
