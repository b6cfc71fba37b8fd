import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';

/** The name of an enum in a schema, for `refineSchemas`. */
export const ENUM_NAME = 'x-enum-name';

/**
 * Names the enum of the field in the document, so that generators create one type for it. All other fields with the
 * same values refer to it: it is enough to mark one field per enum. `values`: all values, in the order of the document.
 * The compiler's order is not used, because it changes with the order in which types are read.
 */
export const ApiEnum = (name: string, values: readonly string[]): PropertyDecorator =>
  applyDecorators(ApiProperty({ [ENUM_NAME]: name, enum: [...values] } as object));

/** The field must have one of the values, see `ApiEnum`. */
export const IsOneOf = (name: string, values: readonly string[]): PropertyDecorator =>
  applyDecorators(ApiEnum(name, values), IsIn(values));

/** The values of a type, in this order; a missing or additional value does not compile. */
export const valuesOf = <T extends string>(values: Record<T, true>): readonly T[] => Object.keys(values) as T[];

/** Marks a schema whose type `refineSchemas` removes. */
export const ANY_TYPE = 'x-any-type';

/** The field may be any JSON value. Generators turn choices that contain a list into Java that does not compile. */
export const ApiAny = ({ example }: { example: unknown }): PropertyDecorator =>
  ApiProperty({ [ANY_TYPE]: true, example } as object);

/** The number may have decimals; all other numbers are integers in the document. */
export const ApiDecimal = (): PropertyDecorator => ApiProperty({ type: 'number', format: 'double' });

/** The text is an absolute URL. */
export const ApiUrl = (): PropertyDecorator => ApiProperty({ format: 'uri' });
