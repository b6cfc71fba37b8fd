import type { Schema } from '@payment-orchestrator/client';

/** What became of an attempt, and what to do about it. */
export interface Meaning {
  what: string;
  toDo: string | null;
}

/** The table of docs/integrate/webhooks.md, by code: the one place in which the codes are explained. */
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

/** Of an answer with a status; the first that applies. Delivery goes by the status alone. */
const STATUSES: [applies: (status: number) => boolean, Meaning][] = [
  [(status) => status >= 200 && status < 300, { what: 'acknowledged', toDo: null }],
  [
    (status) => status >= 300 && status < 400,
    { what: 'a redirect, and none is followed', toDo: 'register the address that it leads to' },
  ],
  [
    (status) => status === 401 || status === 403,
    {
      what: 'the receiver refused it, most often because the signature does not match there',
      toDo: 'verify below what the receiver got',
    },
  ],
  [
    (status) => status === 404 || status === 405,
    { what: 'nothing takes webhooks at this address', toDo: 'look at the path of the address' },
  ],
  [
    (status) => status === 410,
    { what: 'the receiver says that the address is gone, which ends the delivery', toDo: 'send it to another address' },
  ],
  [
    (status) => status === 413,
    { what: 'the body is larger than the receiver takes', toDo: 'let it take 64 KiB at least' },
  ],
  [
    (status) => status === 429 || status === 503,
    {
      what: 'the receiver asks for time; its Retry-After is kept to, an hour at most',
      toDo: 'look whether it keeps up, if that goes on',
    },
  ],
  [
    (status) => status < 500,
    { what: 'the receiver refused it', toDo: 'look at its answer, and at its log by the webhook-id' },
  ],
  [() => true, { what: 'the receiver failed', toDo: 'look at its log by the webhook-id' }],
];

export type Answer = Pick<Schema<'DeliveryAttempt'>, 'status_code' | 'error'>;

/** A code that is newer than the page is told by its name. */
export function meaningOf({ status_code: status, error }: Answer, errors: ReadonlyMap<string, Meaning>): Meaning {
  if (status !== null) return STATUSES.find(([applies]) => applies(status))![1];
  return errors.get(error ?? '') ?? { what: `no answer: ${error ?? 'the reason is unknown'}`, toDo: null };
}
