import { Problem } from '../shared/problem.js';

/** The position of a reader: after the event with this position and id. */
export interface EventCursor {
  /** Decimal text: it exceeds the range of a double. Events of releases without positions have 0. */
  position: string;
  id: number;
}

/** Before all events. */
export const FIRST: EventCursor = { position: '0', id: 0 };

const MAX_BIGINT = 2n ** 63n - 1n;

/** Opaque to clients. */
export const encodeEventCursor = ({ position, id }: EventCursor): string =>
  Buffer.from(`e1:${position}:${id}`).toString('base64url');

/** Throws `malformed_request` for any text that `encodeEventCursor` does not produce. */
export function decodeEventCursor(text: string): EventCursor {
  const [, position, digits] = /^e1:(\d{1,19}):(\d{1,16})$/.exec(Buffer.from(text, 'base64url').toString('utf8')) ?? [];
  const id = Number(digits);
  if (position === undefined || BigInt(position) > MAX_BIGINT || !Number.isSafeInteger(id)) throw badEventCursor();
  return { position, id };
}

/** The problem for a cursor that this service did not return, for example one of another database. */
export const badEventCursor = (): Problem =>
  new Problem('malformed_request', { errors: [{ field: 'after', message: EXPECTED }], detail: `after: ${EXPECTED}` });

const EXPECTED = 'must be the unchanged next_cursor of a page or id of a streamed event of this service';

/** Whether `one` is at or before the position `horizon`. The database has returned no cursor after it. */
export const isWithin = (one: EventCursor, horizon: string): boolean => BigInt(one.position) <= BigInt(horizon);
