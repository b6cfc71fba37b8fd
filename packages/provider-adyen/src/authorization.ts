/** Adyen ends an authorisation after 28 days, also if the scheme recommends less; one scheme differs. */
const DEFAULT_DAYS = 28;
const DAY_MS = 86_400_000;
const DAYS: ReadonlyMap<string, number> = new Map([['cartebancaire', 12]]);

/**
 * When Adyen ends an authorisation that it made at `authorizedAt` with this card scheme.
 * https://www.adyen.help/hc/en-us/articles/115001179684
 */
export const authorizedUntil = (authorizedAt: Date, scheme: string | undefined): Date =>
  new Date(authorizedAt.getTime() + (DAYS.get(scheme ?? '') ?? DEFAULT_DAYS) * DAY_MS);
