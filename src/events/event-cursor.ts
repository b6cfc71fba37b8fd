import { Problem } from '../shared/problem.js';

/** Where a reader is: behind the event of this position and id. */
export interface EventCursor {
  /** Decimal text: beyond what a double holds. Events from before positions have 0. */
  position: string;
  id: number;
}

/** Before everything. */
export const FIRST: EventCursor = { position: '0', id: 0 };

const MAX_BIGINT = 2n ** 63n - 1n;

/** Opaque to those who get it. */
export const encodeEventCursor = ({ position, id }: EventCursor): string =>
  Buffer.from(`e1:${position}:${id}`).toString('base64url');

/** Throws `malformed_request` for what `encodeEventCursor` does not give. */
export function decodeEventCursor(text: string): EventCursor {
  const [, position, digits] = /^e1:(\d{1,19}):(\d{1,16})$/.exec(Buffer.from(text, 'base64url').toString('utf8')) ?? [];
  const id = Number(digits);
  if (position === undefined || BigInt(position) > MAX_BIGINT || !Number.isSafeInteger(id)) throw badEventCursor();
  return { position, id };
}

/** A cursor that this service has not given: of another database, say. */
export const badEventCursor = (): Problem =>
  new Problem('malformed_request', { errors: [{ field: 'after', message: TAKES }], detail: `after: ${TAKES}` });

const TAKES = 'takes the next_cursor of a page or the id of a streamed event, of this service, unchanged';

/** Whether `one` lies at or before the position `horizon`, up to which a database can have given cursors. */
export const isWithin = (one: EventCursor, horizon: string): boolean => BigInt(one.position) <= BigInt(horizon);
