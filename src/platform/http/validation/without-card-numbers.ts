import type { Type } from '@nestjs/common';
import { findCardNumber } from '../../../shared/card-number.js';
import type { FieldError } from '../../../shared/problem.js';

const FIELDS = Symbol('fields without card numbers');

/**
 * Refuses a card number anywhere in the field, also in the name of a member that the DTO does not know. It is looked for
 * before the other rules run, because their messages repeat values, and before anything is done with the request.
 */
export const WithoutCardNumbers = (): PropertyDecorator => (dto, name) =>
  Reflect.defineMetadata(FIELDS, [...fieldsOf(dto), String(name)], dto);

/** `undefined`: there is no card number in these fields of the body. */
export function cardNumberError(body: object, dto: Type<object>): FieldError | undefined {
  for (const name of fieldsOf(dto.prototype as object)) {
    const field = findCardNumber((body as Record<string, unknown>)[name], name);
    if (field !== undefined) return { field, message: MESSAGE };
  }
  return undefined;
}

const MESSAGE =
  "must not contain a card number (12 to 19 digits that pass the Luhn check): send a token, or the provider's encrypted data";

const fieldsOf = (dto: object): string[] => (Reflect.getMetadata(FIELDS, dto) as string[] | undefined) ?? [];
