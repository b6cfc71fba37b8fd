import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';

/** Beside an enum in a schema: what `refineSchemas` calls it. */
export const ENUM_NAME = 'x-enum-name';

/**
 * Names the enum of the field in the document, so that generators make one type of it. All other fields with the same
 * values refer to it, too: one field of each enum is enough. `values`: all of them, in the order of the document, which must
 * not be that of the compiler: it is another one whenever types are met in another order.
 */
export const ApiEnum = (name: string, values: readonly string[]): PropertyDecorator =>
  applyDecorators(ApiProperty({ [ENUM_NAME]: name, enum: [...values] } as object));

/** The values of a type, in this order: with one too few or too many it does not compile. */
export const valuesOf = <T extends string>(values: Record<T, true>): readonly T[] => Object.keys(values) as T[];

/** Beside a type in a schema: `refineSchemas` leaves the type out. */
export const ANY_TYPE = 'x-any-type';

/** The field may be any JSON value. Of choices with a list among them, generators make Java that does not compile. */
export const ApiAny = ({ example }: { example: unknown }): PropertyDecorator =>
  ApiProperty({ [ANY_TYPE]: true, example } as object);

/** The number may have decimals; all others are whole ones in the document. */
export const ApiDecimal = (): PropertyDecorator => ApiProperty({ type: 'number', format: 'double' });

/** The text is an absolute URL. */
export const ApiUrl = (): PropertyDecorator => ApiProperty({ format: 'uri' });
