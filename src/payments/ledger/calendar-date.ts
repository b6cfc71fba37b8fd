import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';

/** Whether `value` is a day that exists, written YYYY-MM-DD. */
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
