import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { validateSync, type ValidatorOptions } from 'class-validator';
import { isObject } from '../../../shared/json.js';
import { type FieldError, Problem } from '../../../shared/problem.js';
import { LazyBody, InvalidBody } from '../body/body-parsers.js';
import { isAccepted } from './compiled-rules.js';
import { instanceOf } from './dto-instance.js';
import { withObjects } from './query-objects.js';
import { fieldErrors } from './field-errors.js';
import { findUnsafeValue } from '../body/json-value.js';
import { cardNumberError } from './without-card-numbers.js';

const RULES: ValidatorOptions = { validationError: { target: false, value: true } };

const BUILT_IN_TYPES = new Set<unknown>([String, Number, Boolean, Array, Object, Buffer]);

/**
 * Converts a body or query into its DTO and validates it. Invalid bodies: `validation_failed` (422); invalid query
 * parameters: `malformed_request` (400); both name the field. Unknown fields are refused. A missing body counts as an
 * empty object. Only `@Type` converts values. Validators must be synchronous.
 *
 * Why not Nest's ValidationPipe: class-transformer, which it uses, takes seconds for a body with many keys, see
 * `dto-instance.ts`.
 */
export class ValidationPipe implements PipeTransform {
  transform(given: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (given instanceof InvalidBody) throw given.problem;
    const value = given instanceof LazyBody ? given.parse() : given;
    if ((type !== 'body' && type !== 'query') || !isDto(metatype)) return value;
    return type === 'body'
      ? validBody(value === undefined ? {} : value, metatype)
      : validQuery(value as object, metatype);
  }
}

const isDto = (metatype: ArgumentMetadata['metatype']): metatype is Type<object> =>
  metatype !== undefined && !BUILT_IN_TYPES.has(metatype);

function validBody(value: unknown, dto: Type<object>): object {
  if (!isObject(value)) {
    const got = Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`;
    throw new Problem('validation_failed', { detail: `the body must be a JSON object, got ${got}` });
  }
  const cardNumber = cardNumberError(value, dto);
  const { instance, errors } = cardNumber ? { instance: {}, errors: [cardNumber] } : validated(value, dto);
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
  return instance;
}

function validQuery(given: object, dto: Type<object>): object {
  const value = withObjects(given);
  const unusable = findUnsafeValue(value);
  const { instance, errors } = unusable ? { instance: {}, errors: [unusable] } : validated(value, dto);
  if (errors.length > 0) throw new Problem('malformed_request', { errors });
  return instance;
}

function validated(value: object, dto: Type<object>): { instance: object; errors: FieldError[] } {
  const unknown: FieldError[] = [];
  const instance = instanceOf(dto, value, '', unknown);
  const errors = isAccepted(instance) ? [] : fieldErrors(validateSync(instance, RULES));
  return { instance, errors: [...unknown, ...errors] };
}
