import { EVENT_TYPES, type EventType } from '../../api/event-types';

/** The search parameters of the page. */
export interface DevelopersSearch {
  /** Only events of this type; absent: all. */
  type?: EventType;
}

/** Ignores an unknown type, so that an old link still opens the page. */
export function readSearch({ type }: Record<string, unknown>): DevelopersSearch {
  const known = EVENT_TYPES.find((each) => each === type);
  return known === undefined ? {} : { type: known };
}
