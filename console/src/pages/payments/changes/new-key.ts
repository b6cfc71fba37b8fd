/** A new idempotency key. Not `crypto.randomUUID`, which browsers offer only on secure pages. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
