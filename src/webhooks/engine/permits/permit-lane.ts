import type { Turns } from '../../../shared/turns.js';
import type { LaneInfo } from '../delivery-store.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import type { Level } from './permit-room.js';

/** What a body is thought to be until one of its lane was seen. */
const EXPECTED_BYTES = 16 * 1024;

/** How a lane came here for the first time. */
export type Arrival = 'new' | 'found' | 'unanswered';

/** A lane's permits, and what is known of its endpoint. */
export interface PermitLane {
  readonly info: LaneInfo;
  readonly path: readonly number[];
  readonly limit: ConcurrencyLimit;
  standing: Arrival | 'answering';
  /** Permits. */
  held: number;
  /** The largest body that it had lately. */
  bodyBytes: number;
  /** Permits that it waits for. */
  wanted: number;
  /** Its last claim brought as much as it might: there may be more. */
  hasBacklog: boolean;
  /** Turns that it had ahead of the others, and lets pass. */
  turnsAhead: number;
  level: Level;
  /** Where it waits. */
  line: Turns<PermitLane> | undefined;
}

/** One that holds nothing. */
export function newLane(info: LaneInfo, arrival: Arrival): PermitLane {
  const path = [info.merchant_id, info.shop_id, info.id];
  const known = { standing: arrival, limit: new ConcurrencyLimit(), bodyBytes: EXPECTED_BYTES };
  const needs = { held: 0, wanted: 0, hasBacklog: false, turnsAhead: 0 };
  return { info, path, ...known, ...needs, level: levelOf(arrival, true), line: undefined };
}

/** `hasFew`: of attempts in flight. */
export const levelOf = (standing: PermitLane['standing'], hasFew: boolean): Level =>
  standing === 'answering' ? (hasFew ? 0 : 1) : standing === 'new' ? 2 : standing === 'found' ? 3 : 4;
