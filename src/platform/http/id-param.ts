import { Param, type PipeTransform } from '@nestjs/common';
import { Problem } from '../../shared/problem.js';

class PositiveIntegerPipe implements PipeTransform<string, number> {
  constructor(private readonly parameter: string) {}

  transform(value: string): number {
    const id = /^\d{1,16}$/.test(value) ? Number(value) : NaN;
    if (Number.isSafeInteger(id) && id > 0) return id;
    throw new Problem('malformed_request', {
      detail: `${this.parameter}: takes a positive integer`,
      errors: [{ field: this.parameter, message: 'takes a positive integer' }],
    });
  }
}

/** A path parameter that is an id: `@IdParam('shopId') shopId: number`. Anything but a positive integer is a 400. */
export const IdParam = (parameter: string): ParameterDecorator => Param(parameter, new PositiveIntegerPipe(parameter));
