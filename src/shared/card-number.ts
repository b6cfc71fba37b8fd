const MIN_DIGITS = 12;
const MAX_DIGITS = 19;
/** Digits with spaces or dashes between them, as people write card numbers. */
const DIGITS = /\d(?:[\s\p{Pd}]*\d)*/gu;
const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/**
 * Values that the provider's script in the payer's browser makes: Adyen's encrypted fields, and the id of a visit of its
 * page components, which has a time in digits. https://docs.adyen.com/payment-methods/cards/custom-card-integration
 */
const MADE_BY_PROVIDER = /^(?:encrypted[A-Z]\w*|checkoutAttemptId)$/;
/** No provider's script makes such a value: the page has sent the number itself. */
const ONLY_DIGITS = /^[\d\s\p{Pd}]*$/u;

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

/** Whether the text has a card number. Ids in the form of UUIDs are none. */
export function hasCardNumber(text: string): boolean {
  if (text.length < MIN_DIGITS) return false;
  return [...text.replace(UUID, ' x ').matchAll(DIGITS)].some(([digits]) => isCardNumberIn(digits.split(/\D+/)));
}

/**
 * Whether groups next to each other make a card number: other digits, such as an expiry date, may surround it. Takes
 * linear time, because a body may be full of digits: each group begins at most 19 steps.
 */
function isCardNumberIn(groups: readonly string[]): boolean {
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
      if (length >= MIN_DIGITS && sums[(length + 1) % 2]! % 10 === 0) return true;
    }
    return false;
  });
}
