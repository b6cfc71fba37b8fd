const STORED_RESPONSE_BYTES = 4_096;

/**
 * The first 4 KiB of a receiver's answer as text that a `text` column takes: NUL and bytes that are no UTF-8 become
 * U+FFFD, a character cut in two by the limit is left out.
 */
export function storableText(body: Buffer): string {
  const isCut = body.length > STORED_RESPONSE_BYTES;
  const text = new TextDecoder('utf-8').decode(body.subarray(0, STORED_RESPONSE_BYTES), { stream: isCut });
  return text.replaceAll('\u0000', '\ufffd');
}
