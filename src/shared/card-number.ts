const MIN_DIGITS = 12;
const MAX_DIGITS = 19;
/** Digits with spaces or dashes between them, as people write card numbers. */
const DIGITS = /\d(?:[\s\p{Pd}]*\d)*/gu;
/** Digits with any other characters between them, except letters. */
const SEPARATED = /\d+(?:[^\p{L}\p{N}]{1,3}\d+)*/gu;
const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/**
 * Values that the provider's script in the payer's browser makes: Adyen's encrypted fields, and the id of a visit of its
 * page components, which has a time in digits. https://docs.adyen.com/payment-methods/cards/custom-card-integration
 */
const MADE_BY_PROVIDER = /^(?:encrypted[A-Z]\w*|checkoutAttemptId)$/;
/** No provider's script makes such a value: the page has sent the number itself. */
const ONLY_DIGITS = /^\P{L}*$/u;

/**
 * The path of the first card number in a JSON value, such as `data.number` for the path `data`; `undefined`: there is
 * none. A card number is 12 to 19 digits that pass the Luhn check (ISO/IEC 7812-1, annex B), as a number or in a
 * text. A number in a key is reported at the object, so that the path does not repeat it.
 */
export function findCardNumber(value: unknown, path: string): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return hasCardNumber(String(value)) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (hasCardNumber(key)) return path;
    if (typeof inner === 'string' && MADE_BY_PROVIDER.test(key) && !ONLY_DIGITS.test(inner)) continue;
    const found = findCardNumber(inner, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Whether the text has a card number: in any digits, with any spaces, dashes and characters without a width between
 * them, and with any other characters between groups as cards show them. Ids in the form of UUIDs are none.
 */
export function hasCardNumber(given: string): boolean {
  if (given.length < MIN_DIGITS) return false;
  const text = inAscii(given).replace(UUID, ' x ');
  const groupsOf = (runs: RegExp): string[][] => [...text.matchAll(runs)].map(([digits]) => digits.split(/\D+/));
  return (
    groupsOf(DIGITS).some((groups) => isCardNumberIn(groups)) ||
    groupsOf(SEPARATED).some((groups) => isCardNumberIn(groups, isShownByCards))
  );
}

const ONLY_ASCII = /^[\0-\x7f]*$/;
const DIGIT = /\p{Nd}/u;

/** The text with ASCII digits for those of all scripts, and without characters that have no width. */
const inAscii = (text: string): string =>
  ONLY_ASCII.test(text)
    ? text
    : text
        .normalize('NFKC')
        .replace(/[\p{Cf}\p{Mn}]/gu, '')
        .replace(/(?!\d)\p{Nd}/gu, (digit) => String(valueOf(digit)));

/** The ten digits of a script follow each other, and those of some scripts those of another. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0)!;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1;
  return before % 10;
}

/** Groups of four digits, 4-6-4 and 4-6-5, or single digits. */
function isShownByCards(groups: readonly string[]): boolean {
  const lengths = groups.map(({ length }) => length);
  return /^(?:1+|4+[1-4]|46[45])$/.test(lengths.join(''));
}

/**
 * Whether groups next to each other make a card number: other digits, such as an expiry date, may surround it. Takes
 * linear time, because a body may be full of digits: each group begins at most 19 steps.
 */
function isCardNumberIn(
  groups: readonly string[],
  isAllowed: (groups: readonly string[]) => boolean = () => true,
): boolean {
  return groups.some((_, first) => {
    let length = 0;
    /** The Luhn sums if the digits at even or at odd positions count double. */
    const sums = [0, 0];
    for (let next = first; next < groups.length && length + groups[next]!.length <= MAX_DIGITS; next++) {
      for (const character of groups[next]!) {
        const digit = Number(character);
        length += 1;
        sums[length % 2]! += digit > 4 ? 2 * digit - 9 : 2 * digit;
        sums[(length + 1) % 2]! += digit;
      }
      // the last digit counts once
      const isNumber = length >= MIN_DIGITS && sums[(length + 1) % 2]! % 10 === 0;
      if (isNumber && isAllowed(groups.slice(first, next + 1))) return true;
    }
    return false;
  });
}
