import { IsEmail, Length } from 'class-validator';
import {
  IsCalendarDate,
  IsCountry,
  IsText,
  Optional,
  WithoutControlCharacters,
} from '../../platform/http/validation/field-rules.js';
import type { NewCustomer } from '../store/customer.js';

/** The specification's Customer without its id, and with the merchant's own id. All fields are optional. */
export class CreateCustomerDto implements NewCustomer {
  /**
   * Your own id of the customer; no personal data. If you already have a customer with this id, it is used: the given
   * fields replace the stored ones, the others stay. Without it every payment creates a customer. @example "user-4711"
   */
  @Optional()
  @IsText(1, 255)
  reference?: string;

  /** @example "ada@example.com" */
  @Optional()
  @IsEmail()
  @Length(3, 254)
  email?: string;

  /**
   * As the payer wrote it. The format is not checked, so it never makes a payment fail. Control characters are removed.
   * @example "+44 20 7946 0958"
   */
  @Optional()
  @WithoutControlCharacters()
  @IsText(0, 255)
  phone?: string;

  /** @example "Ada" */
  @Optional()
  @IsText(1, 100)
  first_name?: string;

  /** @example "Lovelace" */
  @Optional()
  @IsText(1, 100)
  last_name?: string;

  /** @example "Ada Lovelace" */
  @Optional()
  @IsText(1, 200)
  full_name?: string;

  /** @example "12 Queen Square" */
  @Optional()
  @IsText(1, 300)
  address?: string;

  /** @example "London" */
  @Optional()
  @IsText(1, 100)
  city?: string;

  /** @example "Greater London" */
  @Optional()
  @IsText(1, 100)
  region?: string;

  /** @example "SW1Y 4JH" */
  @Optional()
  @IsText(1, 20)
  postal_code?: string;

  /** ISO 3166-1 alpha-2. @example "GB" */
  @Optional()
  @IsCountry()
  country_code?: string;

  /** @example "1985-12-10" */
  @Optional()
  @IsCalendarDate()
  date_of_birth?: string;

  /** @example "female" */
  @Optional()
  @IsText(1, 50)
  gender?: string;

  /** @example "Analytical Engines Ltd" */
  @Optional()
  @IsText(1, 200)
  company?: string;

  /** @example "GB123456789" */
  @Optional()
  @IsText(1, 50)
  vat_number?: string;
}

/** The customer with the fields that are known. */
export class CustomerDto extends CreateCustomerDto {
  /** @example 7 */
  id: number;
}
