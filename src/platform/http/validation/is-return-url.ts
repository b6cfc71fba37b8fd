import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { hasUnprintable } from '../../addresses/endpoint.js';
import { parsedUrl } from '../../../shared/parsed-url.js';

const MAX_LENGTH = 2_048;
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns the error of an address that a payer is sent back to, `undefined` for none. Only the payer's browser calls
 * it, so any host is allowed. http is only for addresses on the payer's own machine, for developers.
 */
export function returnUrlError(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_LENGTH)
    return `must be a URL of at most ${MAX_LENGTH} characters`;
  const isWhole = /^https?:\/\/[^\s\\]+$/i.test(value) && !hasUnprintable(value);
  const url = isWhole ? parsedUrl(value) : undefined;
  if (!url) return 'must be an absolute https URL';
  if (url.username !== '' || url.password !== '') return 'must not hold credentials';
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) return 'must be https; http is only for loopback hosts';
  return undefined;
}

/** The field is an absolute https URL, or http on a loopback host, of at most 2048 characters without credentials. */
export const IsReturnUrl = (): PropertyDecorator => (target, propertyName) => {
  ApiProperty({ format: 'uri', maxLength: MAX_LENGTH })(target, propertyName);
  ValidateBy({
    name: 'isReturnUrl',
    validator: {
      validate: (value) => returnUrlError(value) === undefined,
      defaultMessage: (args) => `$property ${returnUrlError(args?.value)}`,
    },
  })(target, propertyName);
};
