import { types } from 'node:util';
import { z } from 'zod';
import { MAX_ACTION_BYTES } from '../payment-provider.js';

/** Largest free-form object, as JSON: metadata and the data of an event. */
export const MAX_OBJECT_BYTES = 16_384;
const MAX_TEXT_LENGTH = 500;
/** The last moment of the year 9999: later ones have no ISO 8601 form that PostgreSQL reads. */
const LAST_TIME = Date.UTC(10_000, 0) - 1;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** An id: printable characters only. */
export const idOf = (maxLength: number) =>
  z
    .string({ error: 'must be a text' })
    .regex(new RegExp(`^\\P{C}{1,${maxLength}}$`, 'u'), { error: `must be 1 to ${maxLength} printable characters` });

export const id = idOf(255);

/** An id in a notification that may name anything. */
export const namedId = z
  .string({ error: 'must be a text' })
  .regex(/^\P{C}{0,255}$/u, { error: 'must be at most 255 printable characters' });

/** Text for people: cut, and without what PostgreSQL cannot store. */
export const text = z
  .string({ error: 'must be a text' })
  .transform((value) => value.slice(0, MAX_TEXT_LENGTH).toWellFormed().replaceAll('\u0000', '\ufffd'));

export const code = z.string({ error: 'must be a text' }).regex(/^[a-z0-9_]{1,100}$/, {
  error: 'must be a code of at most 100 characters from a to z, 0 to 9 and _',
});

export const amount = z
  .string({ error: 'must be decimal text' })
  .regex(/^\d{1,15}(\.\d{1,9})?$/, { error: 'must be decimal text, such as 100.10' });

export const currency = z
  .string({ error: 'must be a code of ISO 4217' })
  .regex(/^[a-z]{3}$/i, { error: 'must be a code of ISO 4217' })
  .toUpperCase();

/** Dates of other realms are dates as well. */
export const date = z.custom<Date>(
  (value) => types.isDate(value) && value.getTime() >= 0 && value.getTime() <= LAST_TIME,
  { error: 'must be a valid Date' },
);

export const flag = z.boolean({ error: 'must be true or false' });

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

/** An object of limited size that PostgreSQL can store as JSON. */
export const jsonObject = (maxBytes: number) =>
  z
    .custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
      error: 'must be an object',
      abort: true,
    })
    .superRefine((value, context) => {
      const fault = jsonFault(value, maxBytes);
      if (fault) context.addIssue({ code: 'custom', message: fault });
    });

function jsonFault(value: object, maxBytes: number): string | undefined {
  let json: string | undefined;
  try {
    json = JSON.stringify(value) as string | undefined;
  } catch {
    // a circle, a BigInt, or a toJSON that throws
  }
  if (json === undefined) return 'must be representable as JSON';
  const bytes = Buffer.byteLength(json);
  if (bytes > maxBytes) return `must be at most ${maxBytes} bytes of JSON, got ${bytes}`;
  return UNSTORABLE.test(json) ? 'must have no NUL and no half of a surrogate pair' : undefined;
}

/** `JSON.stringify` escapes these two only; an even number of backslashes before is text. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

const redirect = z.object({
  type: z.literal('redirect'),
  url: z
    .string({ error: 'must be a text' })
    .max(MAX_ACTION_BYTES, { error: `must be at most ${MAX_ACTION_BYTES} characters` })
    .refine(isSafeUrl, { error: 'must be an https URL, or http on loopback' }),
  method: oneOf(['GET', 'POST']),
});

/** The payer's browser follows it: neither scripts nor credentials in the clear. */
function isSafeUrl(given: string): boolean {
  let parsed: URL;
  try {
    parsed = new URL(given);
  } catch {
    return false;
  }
  const { protocol, hostname, username, password } = parsed;
  const isSecure = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
  return isSecure && username === '' && password === '';
}

const providerAction = z.object({
  type: z.literal('provider_action'),
  provider: id,
  data: jsonObject(MAX_ACTION_BYTES),
});

export const nextAction = z.discriminatedUnion('type', [redirect, providerAction], {
  error: 'must be a redirect or a provider_action',
});

/** A value of another form is left out. */
export const card = z
  .custom<object>((value) => typeof value === 'object' && value !== null)
  .optional()
  .catch(undefined);

export const savedMethod = z.object(
  {
    token: idOf(1_000),
    customerId: z.int({ error: 'must be a whole number' }).optional(),
    networkTransactionId: id.optional(),
    transactionId: id.optional(),
  },
  { error: 'must be an object' },
);
