import { Decimal } from 'decimal.js';
import type { FieldError } from '../../../shared/problem.js';
import { type Container, endOfText, pathOf } from './json-bounds.js';
import { refuse } from './json-value.js';

const [QUOTE, COMMA, MINUS] = [0x22, 0x2c, 0x2d];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT, COLON] = [0x5b, 0x5d, 0x7b, 0x7d, 0x3a];
const [ZERO, NINE] = [0x30, 0x39];

/** A decimal of at most 15 digits and no exponent is what its double is written as; others are looked at. */
const MAY_BE_INEXACT = /[\d.]{16}|\d[eE][-+\d]/;
const NUMBER_CHARACTER = /[-+.\deE]/;
/** The longest decimal that a double is written as. */
const MAX_DIGITS = 17;

/**
 * The first number of a JSON text that an IEEE double does not hold, so that it would come back as another one:
 * `12345678901234567890`, `0.1234567890123456789`, `1e-400`. Takes what has been parsed: the text is JSON. `undefined`
 * when there is none.
 */
export function findInexact(text: string): FieldError | undefined {
  if (!MAY_BE_INEXACT.test(text)) return undefined;
  const bytes = Buffer.from(text);
  const open: Container[] = [];
  let [textFrom, textTo] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const inner = open.at(-1);
    if (byte === QUOTE) {
      [textFrom, textTo] = [at, endOfText(bytes, at)];
      at = textTo;
    } else if (byte === COLON) {
      Object.assign(inner!, { keyFrom: textFrom, keyTo: textTo });
    } else if (byte === COMMA) {
      inner!.count += 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      open.push({ isArray: byte === OPEN_ARRAY, count: 0, keyFrom: 0, keyTo: 0 });
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      open.pop();
    } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
      const number = numberAt(bytes, at);
      if (!isExact(number)) return refuse(pathOf(bytes, open), INEXACT);
      at += number.length - 1;
    }
  }
  return undefined;
}

const INEXACT = 'takes numbers that a double holds exactly: at most 15 digits are safe, send longer ones as text';

function numberAt(bytes: Buffer, from: number): string {
  let to = from + 1;
  while (to < bytes.length && NUMBER_CHARACTER.test(String.fromCharCode(bytes[to]!))) to++;
  return bytes.toString('latin1', from, to);
}

function isExact(number: string): boolean {
  if (!MAY_BE_INEXACT.test(number)) return true;
  const [mantissa = ''] = number.split(/[eE]/);
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
  return digits.length <= MAX_DIGITS && new Decimal(number).eq(Number(number));
}
