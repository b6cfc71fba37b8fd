import { Decimal } from 'decimal.js';
import type { FieldError } from '../../../shared/problem.js';
import { tokensOf } from './json-tokens.js';
import { refuse } from './json-value.js';

/** Decimals that need a check. A double is written as the same decimal if it has at most 15 digits and no exponent. */
const MAY_BE_INEXACT = /[\d.]{16}|\d[eE][-+\d]/;
/** Most digits that a double is written with. */
const MAX_DIGITS = 17;

/**
 * The first number of a JSON text that an IEEE double cannot hold, so that it would come back as another one:
 * `12345678901234567890`, `0.1234567890123456789`, `1e-400`. The text must already have been parsed. `undefined`: there
 * is none.
 */
export function findLossyNumber(text: string): FieldError | undefined {
  if (!MAY_BE_INEXACT.test(text)) return undefined;
  for (const { kind, text: number, path } of tokensOf(Buffer.from(text))) {
    if (kind === 'number' && !isExact(number)) return refuse(path(), INEXACT);
  }
  return undefined;
}

const INEXACT = 'must be a number that a double holds exactly: up to 15 digits are safe, send longer numbers as text';

function isExact(number: string): boolean {
  if (!MAY_BE_INEXACT.test(number)) return true;
  const [mantissa = ''] = number.split(/[eE]/);
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
  return digits.length <= MAX_DIGITS && new Decimal(number).eq(Number(number));
}
