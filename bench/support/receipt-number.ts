/** Hexadecimal digits at the end of a webhook-id that receivers store: as many as fit into a number. */
export const RECEIPT_DIGITS = 13;

const DASHED = /whd_[^]*([0-9a-f])-([0-9a-f]{12})$/;

/**
 * The number that a receiver stores instead of a webhook-id, to save memory. For `whd_…` it is the last 52 bits, which
 * are random. For the numeric ids of baselines it is the id itself. `DeliveryTables.receiptNumber` is the same in SQL.
 */
export function receiptNumber(webhookId: string): number {
  const digits = DASHED.exec(webhookId);
  return digits ? parseInt(digits[1]! + digits[2]!, 16) : Number(webhookId);
}
