import { IsEmail, IsString, Length } from 'class-validator';
import {
  IsCalendarDate,
  IsCountry,
  Optional,
  WithoutControlCharacters,
} from '../../platform/http/validation/field-rules.js';
import type { NewCustomer } from './customer.js';

/** The specification's Customer without its id, and the merchant's own. All fields are optional. */
export class CreateCustomerDto implements NewCustomer {
  /**
   * Your own id of the customer, no personal data. When a customer of yours has it, that one is meant: the fields that are
   * given here are written over its own, the others stay. Without it every payment makes a customer. @example "user-4711"
   */
  @Optional()
  @IsString()
  @Length(1, 255)
  reference?: string;

  /** @example "ada@example.com" */
  @Optional()
  @IsEmail()
  @Length(3, 254)
  email?: string;

  /**
   * As the payer wrote it: its form is not checked, so that it costs no payment. Control characters are left out.
   * @example "+44 20 7946 0958"
   */
  @Optional()
  @WithoutControlCharacters()
  @IsString()
  @Length(0, 255)
  phone?: string;

  /** @example "Ada" */
  @Optional()
  @IsString()
  @Length(1, 100)
  first_name?: string;

  /** @example "Lovelace" */
  @Optional()
  @IsString()
  @Length(1, 100)
  last_name?: string;

  /** @example "Ada Lovelace" */
  @Optional()
  @IsString()
  @Length(1, 200)
  full_name?: string;

  /** @example "12 Queen Square" */
  @Optional()
  @IsString()
  @Length(1, 300)
  address?: string;

  /** @example "London" */
  @Optional()
  @IsString()
  @Length(1, 100)
  city?: string;

  /** @example "Greater London" */
  @Optional()
  @IsString()
  @Length(1, 100)
  region?: string;

  /** @example "SW1Y 4JH" */
  @Optional()
  @IsString()
  @Length(1, 20)
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
  @IsString()
  @Length(1, 50)
  gender?: string;

  /** @example "Analytical Engines Ltd" */
  @Optional()
  @IsString()
  @Length(1, 200)
  company?: string;

  /** @example "GB123456789" */
  @Optional()
  @IsString()
  @Length(1, 50)
  vat_number?: string;
}

/** The customer with the fields that are known. */
export class CustomerDto extends CreateCustomerDto {
  /** @example 7 */
  id: number;
}
