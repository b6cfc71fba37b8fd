import { ValidateBy } from 'class-validator';

/** Refuses the field whatever it holds, for the reason that ends the sentence: what a caller may expect and does not get. */
export const IsAbsent = (reason: string): PropertyDecorator =>
  ValidateBy({ name: 'isAbsent', validator: { validate: () => false, defaultMessage: () => `$property ${reason}` } });
