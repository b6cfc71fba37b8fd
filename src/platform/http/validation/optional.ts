import { ValidateIf } from 'class-validator';

/** The field may be left out. Unlike `IsOptional`, `null` is not taken for absent: it is refused by the field's other rules. */
export const Optional = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);
