import { ApiProperty } from '@nestjs/swagger';
import { registerDecorator, type ValidationOptions } from 'class-validator';
import { MAX_ENDPOINT_LENGTH, webhookEndpointError } from './endpoint-policy.service.js';

/** The field is an absolute http(s) URL of at most 2048 characters without credentials. */
export function IsWebhookEndpoint(options?: ValidationOptions): PropertyDecorator {
  return (target, propertyName) => {
    ApiProperty({ format: 'uri', maxLength: MAX_ENDPOINT_LENGTH })(target, propertyName);
    registerDecorator({
      name: 'isWebhookEndpoint',
      target: target.constructor,
      propertyName: propertyName as string,
      ...(options && { options }),
      validator: {
        validate: (value: unknown) => webhookEndpointError(value) === undefined,
        defaultMessage: (args) => `${args?.property} ${webhookEndpointError(args?.value)}`,
      },
    });
  };
}
