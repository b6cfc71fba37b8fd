import { ValidateBy } from 'class-validator';
import { webhookSecretError } from '@payment-orchestrator/receiver/signing';

const errorOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? webhookSecretError(value) : 'must be a string';

/** Validates a webhook secret that a merchant sent; see `webhookSecretError`. */
export const IsWebhookSecret = (): PropertyDecorator =>
  ValidateBy({
    name: 'isWebhookSecret',
    validator: {
      validate: (value) => errorOf(value) === undefined,
      defaultMessage: (args) => `$property ${errorOf(args?.value)}`,
    },
  });
