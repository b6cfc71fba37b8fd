import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { MAX_ENDPOINT_LENGTH, webhookEndpointError } from './endpoint-policy.service.js';

/** Validates that the field is an absolute http(s) URL of at most 2048 characters without credentials. */
export const IsWebhookEndpoint = (): PropertyDecorator => (target, propertyName) => {
  ApiProperty({ format: 'uri', maxLength: MAX_ENDPOINT_LENGTH })(target, propertyName);
  ValidateBy({
    name: 'isWebhookEndpoint',
    validator: {
      validate: (value) => webhookEndpointError(value) === undefined,
      defaultMessage: (args) => `$property ${webhookEndpointError(args?.value)}`,
    },
  })(target, propertyName);
};
