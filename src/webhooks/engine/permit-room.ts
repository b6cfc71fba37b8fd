import { Turns } from '../../shared/turns.js';

/**
 * What a lane is to the others, best first:
 * - `few`: answers, with few attempts in flight; - `many`: answers, with many;
 * - `new`: this process never tried it; - `found`: nor did it, and a look found a backlog there;
 * - `unanswered`: its last attempts got no answer.
 */
export const LEVELS = ['few', 'many', 'new', 'found', 'unanswered'] as const;
export type Level = 0 | 1 | 2 | 3 | 4;

/** Of a room, what lanes of a level and of all worse ones may hold together. */
const SHARES = [1, 7 / 8, 1 / 2, 3 / 8, 1 / 4];

export const sharesOf = (size: number): number[] => SHARES.map((share) => Math.max(1, Math.floor(size * share)));

/**
 * Something scarce that permits are counted against: the process, a merchant's part of it, an origin's connections; and
 * the lanes that wait for it.
 */
export class PermitRoom<Lane> {
  /** By level: permits held by lanes of this level and of worse ones. */
  readonly held = [0, 0, 0, 0, 0];
  readonly lines = LEVELS.map(() => new Turns<Lane>());

  constructor(private readonly limits: (level: Level) => number) {}

  admits(level: Level): boolean {
    for (let better = level; better >= 0; better--) {
      if (this.held[better]! >= this.limits(better)) return false;
    }
    return true;
  }

  /** `count` permits more, or fewer. */
  add(level: Level, count: number): void {
    for (let better = level; better >= 0; better--) this.held[better]! += count;
  }

  get isIdle(): boolean {
    return this.held[0] === 0 && this.lines.every((line) => line.isEmpty);
  }
}
