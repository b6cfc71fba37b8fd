import type { BillingAddress, Payer } from '@payment-orchestrator/provider-kit';
import { IsCountry, IsIpAddress, IsObjectOf, IsText, Optional } from '../../platform/http/validation/field-rules.js';

/** The address of the payer's card or account. */
export class BillingAddressDto {
  /** Street and number. @example "1 Example Street" */
  @Optional()
  @IsText(1, 255)
  line1?: string;

  /** Flat, floor or building. @example "Flat 2" */
  @Optional()
  @IsText(1, 255)
  line2?: string;

  /** City, town or village. @example "Berlin" */
  @Optional()
  @IsText(1, 255)
  city?: string;

  /** Postal code, in the form of the country. @example "10115" */
  @Optional()
  @IsText(1, 32)
  postal_code?: string;

  /** A state, province or region. @example "BE" */
  @Optional()
  @IsText(1, 255)
  state?: string;

  /** ISO 3166-1 alpha-2, or `XK`. @example "DE" */
  @Optional()
  @IsCountry()
  country?: string;
}

export class PayerDto {
  /** The address of the payer's device, IPv4 or IPv6. @example "203.0.113.7" */
  @Optional()
  @IsIpAddress()
  ip_address?: string;

  @Optional()
  @IsObjectOf(() => BillingAddressDto)
  billing_address?: BillingAddressDto;

  static toPayer({ ip_address: ipAddress, billing_address: address }: PayerDto): Payer {
    return {
      ...(ipAddress !== undefined && { ipAddress }),
      ...(address && { billingAddress: toBillingAddress(address) }),
    };
  }
}

const toBillingAddress = ({ postal_code: postalCode, ...others }: BillingAddressDto): BillingAddress => ({
  ...others,
  ...(postalCode !== undefined && { postalCode }),
});
