/** The field of a request; an empty text is not sent. */
export function reasonIn(text: string): { reason?: string } {
  const reason = text.trim();
  return reason === '' ? {} : { reason };
}
