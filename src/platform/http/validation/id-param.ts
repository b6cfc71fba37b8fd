import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { Problem } from '../../../shared/problem.js';

class PositiveIntegerPipe implements PipeTransform<string, number> {
  constructor(private readonly parameter: string) {}

  transform(value: string): number {
    const id = positiveInteger(value);
    if (id !== undefined) return id;
    throw malformedParameter(this.parameter, 'must be a positive integer');
  }
}

/** `undefined` if the text is not a positive integer. */
export function positiveInteger(text: string): number | undefined {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

export const malformedParameter = (field: string, message: string): Problem =>
  new Problem('malformed_request', { detail: `${field}: ${message}`, errors: [{ field, message }] });

/** The example is the id of the first object in a new database, so that Swagger UI's default works. */
export const ID_SCHEMA = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, example: 1 };

/** An id as a path parameter: `@IdParam('shopId') shopId: number`. Anything but a positive integer is a 400. */
export const IdParam =
  (parameter: string): ParameterDecorator =>
  (target, method, index) => {
    Param(parameter, new PositiveIntegerPipe(parameter))(target, method, index);
    const descriptor = Object.getOwnPropertyDescriptor(target, method!) as TypedPropertyDescriptor<unknown>;
    ApiParam({ name: parameter, schema: ID_SCHEMA })(target, method!, descriptor);
  };
