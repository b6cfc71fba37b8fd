import type { Schema } from '@payment-orchestrator/client';

/** The result of an attempt, and what to do about it. */
export interface Meaning {
  what: string;
  toDo: string | null;
}

/** The table of docs/integrate/webhooks.md, by code. The codes are explained only there. */
export function errorsIn(page: string): ReadonlyMap<string, Meaning> {
  const meanings = new Map<string, Meaning>();
  let above: string | null = null;
  for (const [, code, what, advice] of page.matchAll(/^\| `(\w+)` *\| (.*?) *\| (.*?) *\|$/gm)) {
    const toDo: string | null = advice === 'the same' ? above : advice === 'nothing' ? null : advice!;
    meanings.set(code!, { what: what!, toDo });
    above = toDo;
  }
  return meanings;
}

/** Meanings of answers with a status; the first that applies counts. Only the status decides whether a webhook is delivered. */
const STATUSES: [applies: (status: number) => boolean, Meaning][] = [
  [(status) => status >= 200 && status < 300, { what: 'acknowledged', toDo: null }],
  [
    (status) => status >= 300 && status < 400,
    { what: 'the receiver sent a redirect, which is not followed', toDo: 'use the address that it leads to' },
  ],
  [
    (status) => status === 401 || status === 403,
    {
      what: 'the receiver refused it, most often because its signature check failed',
      toDo: 'verify below the headers and body that the receiver got',
    },
  ],
  [
    (status) => status === 404 || status === 405,
    { what: 'no receiver at this address', toDo: 'check the path of the address' },
  ],
  [
    (status) => status === 410,
    { what: 'the receiver says that the address is gone, which ends the delivery', toDo: 'send it to another address' },
  ],
  [
    (status) => status === 413,
    { what: 'the body is larger than the receiver accepts', toDo: 'let the receiver accept at least 64 KiB' },
  ],
  [
    (status) => status === 429 || status === 503,
    {
      what: 'the receiver is busy or unavailable; the next attempt waits for its Retry-After, at most one hour',
      toDo: 'if this continues, give the receiver more capacity',
    },
  ],
  [
    (status) => status < 500,
    { what: 'the receiver refused it', toDo: 'check its answer, and search its log for the webhook-id' },
  ],
  [() => true, { what: 'the receiver failed', toDo: 'search its log for the webhook-id' }],
];

export type Answer = Pick<Schema<'DeliveryAttempt'>, 'status_code' | 'error'>;

/** The meaning of an answer. A code that is not on the page is shown by its name. */
export function meaningOf({ status_code: status, error }: Answer, errors: ReadonlyMap<string, Meaning>): Meaning {
  if (status !== null) return STATUSES.find(([applies]) => applies(status))![1];
  return errors.get(error ?? '') ?? { what: `no answer: ${error ?? 'the reason is unknown'}`, toDo: null };
}
