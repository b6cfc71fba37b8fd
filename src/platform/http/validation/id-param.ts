import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { Problem } from '../../../shared/problem.js';

class PositiveIntegerPipe implements PipeTransform<string, number> {
  constructor(private readonly parameter: string) {}

  transform(value: string): number {
    const id = positiveInteger(value);
    if (id !== undefined) return id;
    throw malformedParameter(this.parameter, 'takes a positive integer');
  }
}

/** `undefined` for what is none. */
export function positiveInteger(text: string): number | undefined {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

export const malformedParameter = (field: string, message: string): Problem =>
  new Problem('malformed_request', { detail: `${field}: ${message}`, errors: [{ field, message }] });

/** The example is what the first object of a fresh database is called: what Swagger UI fills in works as it stands. */
export const ID_SCHEMA = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, example: 1 };

/** A path parameter that is an id: `@IdParam('shopId') shopId: number`. Anything but a positive integer is a 400. */
export const IdParam =
  (parameter: string): ParameterDecorator =>
  (target, method, index) => {
    Param(parameter, new PositiveIntegerPipe(parameter))(target, method, index);
    const descriptor = Object.getOwnPropertyDescriptor(target, method!) as TypedPropertyDescriptor<unknown>;
    ApiParam({ name: parameter, schema: ID_SCHEMA })(target, method!, descriptor);
  };
