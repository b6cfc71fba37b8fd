import { isIP } from 'node:net';
import { applyDecorators, type Type as Class } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsInt,
  isISO8601,
  IsObject,
  IsNumber,
  IsPositive,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
  type ValidationArguments,
  ValidateIf,
} from 'class-validator';
import { isCountry } from '@payment-orchestrator/routing/facts/country';
import {
  amountLimitError,
  COUNTRY,
  countryListError,
  currencyListError,
} from '@payment-orchestrator/routing/definition/value-rules';
import { amountError, currencyError, percentError } from '../../../shared/money.js';
import { isObject } from '../../../shared/json.js';
import { isTimeZone } from '../../../shared/time-zone.js';
import { findUnsafeValue } from '../body/json-value.js';

const MAX_JSON_BYTES = 16 * 1024;

/**
 * Returns the error of a field's value, as the rest of a sentence that begins with the field's name; `undefined`: it is
 * valid.
 */
type FieldRule = (value: unknown, object: Record<string, unknown>) => string | undefined;

const rule = (name: string, errorOf: FieldRule): PropertyDecorator => {
  const errorIn = (args?: ValidationArguments) => errorOf(args?.value, (args?.object ?? {}) as Record<string, unknown>);
  return ValidateBy({
    name,
    validator: {
      validate: (_, args) => errorIn(args) === undefined,
      defaultMessage: (args) => `$property ${errorIn(args)}`,
    },
  });
};

/** An integer. Unlike class-validator's `IsInt`, it is also documented as one in OpenAPI. */
export const IsInteger = (): PropertyDecorator => applyDecorators(IsInt(), ApiProperty({ type: 'integer' }));

export const IsIntegerIn = (minimum: number, maximum: number): PropertyDecorator =>
  applyDecorators(Max(maximum), Min(minimum), IsInteger(), ApiProperty({ minimum, maximum }));

/**
 * A text with this many characters. It moves the field to the front of its schema. Generated clients take parameters of
 * queries by position, so there `IsString` and `Length` keep the order.
 */
export const IsText = (minLength: number, maxLength: number): PropertyDecorator =>
  applyDecorators(Length(minLength, maxLength), IsString(), ApiProperty({ minLength, maxLength }));

/** Text that looks the same in a log line and in a form: no control characters, no surrounding spaces. */
const PLAIN_NAME = /^(?!\s)[^\p{Cc}]*(?<!\s)$/u;

/** The name of an object. */
export const IsPlainName = (): PropertyDecorator =>
  applyDecorators(
    Matches(PLAIN_NAME, { message: '$property must not have control characters or surrounding spaces' }),
    IsText(1, 200),
  );

/** An object with the fields of a DTO, which are validated too. */
export const IsObjectOf = (dto: () => Class): PropertyDecorator =>
  applyDecorators(Type(dto), ValidateNested(), IsObject());

/** A list of at most `max` objects with the fields of a DTO. */
export const IsListOf = (dto: () => Class, max: number): PropertyDecorator =>
  applyDecorators(
    Type(dto),
    ValidateNested({ each: true }),
    IsObject({ each: true }),
    CutBeyond(max),
    ArrayMaxSize(max),
    IsArray(),
  );

/** A list of at most `max` different values, which `each` checks. */
export const IsSet = (max: number, ...each: PropertyDecorator[]): PropertyDecorator =>
  applyDecorators(...each, CutBeyond(max), ArrayUnique(), ArrayMaxSize(max), ArrayNotEmpty(), IsArray());

/** An id in a body. */
export const IsId = (): PropertyDecorator =>
  applyDecorators(
    Max(Number.MAX_SAFE_INTEGER),
    IsPositive(),
    IsInteger(),
    ApiProperty({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  );

/** An id in a query, where it is text. */
export const IsIdInQuery = (): PropertyDecorator =>
  applyDecorators(
    Type(() => Number),
    IsId(),
  );

/** The ISO 4217 code, in capitals, of a currency for new payments. */
export const IsCurrency = (): PropertyDecorator =>
  applyDecorators(rule('isCurrency', currencyError), ApiProperty({ pattern: '^[A-Z]{3}$' }));

/** An ISO 3166-1 alpha-2 code in capitals. */
export const IsCountry = (): PropertyDecorator =>
  applyDecorators(
    rule('isCountry', (value) => (isCountry(value) ? undefined : `must be ${COUNTRY}`)),
    ApiProperty({ pattern: '^[A-Z]{2}$' }),
  );

/** An IPv4 or IPv6 address without a zone. */
export const IsIpAddress = (): PropertyDecorator =>
  applyDecorators(
    rule('isIpAddress', (value) => (isIpAddress(value) ? undefined : 'must be an IPv4 or IPv6 address')),
    ApiProperty({ type: 'string', maxLength: 45 }),
  );

const isIpAddress = (value: unknown): boolean => typeof value === 'string' && !value.includes('%') && isIP(value) !== 0;

/** One or more different ISO 4217 codes. Withdrawn ones are accepted, so that a flow that names one can be changed. */
export const IsCurrencyList = (): PropertyDecorator => rule('isCurrencyList', currencyListError);

/** One or more different ISO 3166-1 alpha-2 codes. */
export const IsCountryList = (): PropertyDecorator => rule('isCountryList', countryListError);

/** An amount above 0, with at most the decimals of the currency in the object's field `currency`. */
export const IsAmount = (): PropertyDecorator =>
  applyDecorators(
    rule('isAmount', (value, { currency }) =>
      typeof value === 'number' ? amountError(value, typeof currency === 'string' ? currency : '') : 'must be a number',
    ),
    ApiProperty({ format: 'double' }),
  );

/** An amount above 0 in a currency that the request does not name. */
export const IsPositiveAmount = (): PropertyDecorator =>
  applyDecorators(
    IsPositive(),
    IsNumber(),
    ApiProperty({ type: 'number', format: 'double', exclusiveMinimum: 0 } as object),
  );

/** A limit for amounts in any currency; 0 or above. */
export const IsAmountBound = (): PropertyDecorator =>
  applyDecorators(rule('isAmountBound', amountLimitError), ApiProperty({ format: 'double' }));

/** A percentage from 0 to 100. Unlike class-validator's `IsNumber`, it takes numbers such as 1e-7, and refuses them. */
export const IsPercent = (decimals: number): PropertyDecorator =>
  applyDecorators(
    rule('isPercent', (value) => (typeof value === 'number' ? percentError(value, decimals) : 'must be a number')),
    ApiProperty({ format: 'double', minimum: 0, maximum: 100 }),
  );

/**
 * An ISO 8601 time with its zone, in the form that `Date` reads everywhere: no week dates, no ordinal dates, no hours
 * without minutes.
 */
export const IsTime = (): PropertyDecorator =>
  applyDecorators(
    rule('isTime', (value) =>
      typeof value === 'string' && TIME.test(value) && isISO8601(value, { strict: true })
        ? undefined
        : 'must be an ISO 8601 time with its zone, such as 2026-11-21T01:02:03Z',
    ),
    ApiProperty({ format: 'date-time' }),
  );

/** The time of an optional field with `IsTime`. */
export const timeOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** A free-form JSON object of at most 16 KiB. */
export const IsMetadata = (): PropertyDecorator => rule('isMetadata', metadataError);

function metadataError(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object';
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > MAX_JSON_BYTES ? `must be at most ${MAX_JSON_BYTES} bytes of JSON` : undefined;
}

/** The longest value of metadata that a search finds, in characters. */
const MAX_VALUE_LENGTH = 128;
const MAX_KEY_LENGTH = 255;
/** As many values of a payment as a search finds. */
const MAX_PAIRS = 10;

/**
 * Keys of metadata with their values in a query: JSON in one parameter, or `name[key]=value`. The document has only the
 * JSON: generators and Swagger UI send `deepObject` in different ways, and some not at all.
 */
export const IsMetadataValues = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }): unknown => (typeof value === 'string' ? parsedPairs(value) : value), {
      toClassOnly: true,
    }),
    rule('isMetadataValues', metadataValuesError),
    ApiProperty({ type: 'string' }),
  );

/** Numbers and booleans count as their texts. Other text is passed on, to be refused. */
function parsedPairs(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    if (!isObject(value)) return text;
    const pairs = Object.entries(value).map(([key, each]): [string, unknown] => [
      key,
      typeof each === 'number' || typeof each === 'boolean' ? String(each) : each,
    ]);
    return Object.fromEntries(pairs);
  } catch {
    return text;
  }
}

function metadataValuesError(given: unknown): string | undefined {
  const unusable = findUnsafeValue(given);
  if (unusable) return unusable.message;
  const entries = isObject(given) ? Object.entries(given) : [];
  if (entries.length === 0 || entries.length > MAX_PAIRS || !entries.every(([key]) => isTextOf(key, MAX_KEY_LENGTH)))
    return `must be 1 to ${MAX_PAIRS} keys with values, such as {"order_id":"A-1001"} or metadata[order_id]=A-1001`;
  return entries.every(([, value]) => isTextOf(value, MAX_VALUE_LENGTH))
    ? undefined
    : `must have values of 1 to ${MAX_VALUE_LENGTH} characters`;
}

/** One or more of the values in a query, separated by commas: `choicesOf` splits them. */
export const IsChoices = (values: readonly string[]): PropertyDecorator => {
  const one = `(${values.join('|')})`;
  const expected = new RegExp(`^${one}(,${one}){0,${values.length - 1}}$`);
  return applyDecorators(
    rule('isChoices', (value) =>
      typeof value === 'string' && expected.test(value)
        ? undefined
        : `must be one or more of the following values, separated by commas: ${values.join(', ')}`,
    ),
    ApiProperty({ type: 'string' }),
  );
};

/** The values of an optional field with `IsChoices`. */
export const choicesOf = <T extends string>(text: string | undefined): T[] | undefined =>
  text === undefined ? undefined : ([...new Set(text.split(','))] as T[]);

const isTextOf = (value: unknown, max: number): boolean =>
  typeof value === 'string' && value !== '' && [...value].length <= max;

/**
 * Use with `ArrayMaxSize(max)` on a list: passes only `max` + 1 items to the validators, which is enough to
 * refuse the list. Otherwise each item of a long list is checked and reported, which blocks the event loop for seconds.
 */
export const CutBeyond = (max: number): PropertyDecorator =>
  Transform(
    ({ value }: { value: unknown }): unknown =>
      Array.isArray(value) && value.length > max ? value.slice(0, max + 1) : value,
    { toClassOnly: true },
  );

/** Removes control characters, such as a pasted line break, instead of refusing the value. */
export const WithoutControlCharacters = (): PropertyDecorator =>
  Transform(
    ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.replace(/\p{Cc}/gu, '') : value),
    { toClassOnly: true },
  );

/** A person's reason for a change: one line of text, shown with the change and in the audit log. */
export const IsReason = (): PropertyDecorator =>
  applyDecorators(
    Matches(/^\P{Cc}*$/u, { message: '$property must not contain control characters' }),
    Length(1, MAX_REASON_LENGTH),
    ApiProperty({ minLength: 1, maxLength: MAX_REASON_LENGTH }),
  );

const MAX_REASON_LENGTH = 500;

/** The field may be absent; `null` counts as absent before the rules run (see `instanceOf`). */
export const Optional = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** The condition of `Clearable`, by which `instanceOf` recognises it. */
export const hasValue = (_: object, value: unknown): boolean => value !== undefined && value !== null;

/** For a change of an object: the field may be absent, which leaves the value, or `null`, which removes it. */
export const Clearable = (): PropertyDecorator => ValidateIf(hasValue);

/** Whether `value` is an existing day in the form YYYY-MM-DD. */
function isCalendarDate(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

export const IsCalendarDate = (): PropertyDecorator =>
  applyDecorators(
    ValidateBy({
      name: 'isCalendarDate',
      validator: { validate: isCalendarDate, defaultMessage: () => '$property must be a date in the form YYYY-MM-DD' },
    }),
    ApiProperty({ format: 'date' }),
  );

/** The IANA name of a time zone, such as `Europe/Berlin`. */
export const IsZone = (): PropertyDecorator =>
  applyDecorators(
    rule('isZone', (value) =>
      typeof value === 'string' && isTimeZone(value)
        ? undefined
        : 'must be the name of a time zone, such as Europe/Berlin',
    ),
    ApiProperty({ type: 'string', maxLength: 64 }),
  );

/** Refuses the field with any value. `reason` completes the sentence: for fields that a caller may expect to exist. */
export const IsAbsent = (reason: string): PropertyDecorator =>
  ValidateBy({ name: 'isAbsent', validator: { validate: () => false, defaultMessage: () => `$property ${reason}` } });
