import { IsEmail, IsISO31661Alpha2, IsOptional, IsString, Length, Matches } from 'class-validator';
import { IsCalendarDate } from './calendar-date.js';
import type { NewCustomer } from './customer.js';

/** The specification's Customer without its id. All fields are optional. */
export class CreateCustomerDto implements NewCustomer {
  /** @example "ada@example.com" */
  @IsOptional()
  @IsEmail()
  @Length(3, 254)
  email?: string;

  /** @example "+44 20 7946 0958" */
  @IsOptional()
  @IsString()
  @Matches(/^[+\d][\d ().-]{2,31}$/, { message: '$property must be a telephone number of 3 to 32 characters' })
  phone?: string;

  /** @example "Ada" */
  @IsOptional()
  @IsString()
  @Length(1, 100)
  first_name?: string;

  /** @example "Lovelace" */
  @IsOptional()
  @IsString()
  @Length(1, 100)
  last_name?: string;

  /** @example "Ada Lovelace" */
  @IsOptional()
  @IsString()
  @Length(1, 200)
  full_name?: string;

  /** @example "12 St James's Square" */
  @IsOptional()
  @IsString()
  @Length(1, 300)
  address?: string;

  /** @example "London" */
  @IsOptional()
  @IsString()
  @Length(1, 100)
  city?: string;

  /** @example "Greater London" */
  @IsOptional()
  @IsString()
  @Length(1, 100)
  region?: string;

  /** @example "SW1Y 4JH" */
  @IsOptional()
  @IsString()
  @Length(1, 20)
  postal_code?: string;

  /** ISO 3166-1 alpha-2. @example "GB" */
  @IsOptional()
  @IsISO31661Alpha2()
  country_code?: string;

  /** @example "1985-12-10" */
  @IsOptional()
  @IsCalendarDate()
  date_of_birth?: string;

  /** @example "female" */
  @IsOptional()
  @IsString()
  @Length(1, 50)
  gender?: string;

  /** @example "Analytical Engines Ltd" */
  @IsOptional()
  @IsString()
  @Length(1, 200)
  company?: string;

  /** @example "GB123456789" */
  @IsOptional()
  @IsString()
  @Length(1, 50)
  vat_number?: string;
}
