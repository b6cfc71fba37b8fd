/** Hexadecimal digits at the end of a webhook-id that receivers keep: as many as a number holds. */
export const RECEIPT_DIGITS = 13;

const DASHED = /whd_[^]*([0-9a-f])-([0-9a-f]{12})$/;

/**
 * The number that a receiver keeps in place of a webhook-id, which takes a fraction of the room: of `whd_…` its last 52 bits,
 * which nothing but chance makes equal; of the plain numbers of baselines the number. `DeliveryTables.receiptNumber` is the
 * same in SQL.
 */
export function receiptNumber(webhookId: string): number {
  const digits = DASHED.exec(webhookId);
  return digits ? parseInt(digits[1]! + digits[2]!, 16) : Number(webhookId);
}
