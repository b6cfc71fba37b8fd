import { Turns } from '../../../shared/turns.js';

/**
 * What a lane is to the others, best first:
 * - `few`: answers, with few attempts in flight; - `many`: answers, with many;
 * - `new`: this process never tried it; - `found`: nor did it, and a look found a backlog there;
 * - `unanswered`: its last attempts got no answer.
 */
export const LEVELS = ['few', 'many', 'new', 'found', 'unanswered'] as const;
export type Level = 0 | 1 | 2 | 3 | 4;
export const BEST_FIRST: readonly Level[] = [0, 1, 2, 3, 4];

/** Of lanes that answer, with few attempts in flight, and with many. */
export const FEW: Level = 0;
export const MANY: Level = 1;

/** Of a room, what lanes of a level and of all worse ones may hold together. */
const SHARES = [1, 7 / 8, 1 / 2, 3 / 8, 1 / 4];

export const shareOf = (size: number, level: Level): number => Math.max(1, Math.floor(size * SHARES[level]!));

export const sharesOf = (size: number): number[] => BEST_FIRST.map((level) => shareOf(size, level));

/**
 * Something scarce that permits are counted against: the process, a merchant's part of it, an origin's connections; and
 * the lanes that wait for it. A room that shrinks leaves worse levels holding more than their shares, and so do lanes that
 * stop answering: for better ones they then count as holding their shares, and no more than `most` is held until the rest
 * comes back.
 */
export class PermitRoom<Lane> {
  /** By level: permits held by lanes of this level and of worse ones. */
  readonly held = [0, 0, 0, 0, 0];
  readonly lines = LEVELS.map(() => new Turns<Lane>());
  /** Of what lanes with many hold, so much was theirs to hold before the room shrank, and is more than their share now. */
  private excess = 0;

  constructor(
    private readonly limits: (level: Level) => number,
    /** `limits` of the room at its largest. */
    private readonly most: ((level: Level) => number) | undefined = undefined,
  ) {}

  admits(level: Level): boolean {
    for (let better = level; better >= 0; better--) {
      if (this.held[better]! >= this.limits(better))
        return this.most !== undefined && this.admitsBeside(level, this.most);
    }
    return true;
  }

  /** As `admits`, with what worse levels hold beyond their shares counted against `most` alone. */
  private admitsBeside(level: Level, most: (level: Level) => number): boolean {
    let counted = 0;
    for (let each = LEVELS.length - 1; each >= 0; each--) {
      const limit = this.limits(each as Level);
      counted += this.held[each]! - (this.held[each + 1] ?? 0);
      if (each <= level && (counted >= limit || this.held[each]! >= most(each as Level))) return false;
      // lanes that answer come to hold many one by one: that gives nobody room beyond the room's own
      counted = Math.max(Math.min(counted, limit), each > MANY ? 0 : counted - this.excess);
    }
    return true;
  }

  /** `count` permits more, or fewer. */
  add(level: Level, count: number): void {
    this.count(level, count);
    if (count < 0 && this.excess > 0) this.boundExcess(this.limits(MANY));
  }

  /** Permits that are held already count for another level. */
  move(from: Level, to: Level, count: number): void {
    this.count(from, -count);
    this.count(to, count);
  }

  /** `lower` makes the limits lower. */
  shrink(lower: () => void): void {
    const before = this.limits(MANY);
    lower();
    const after = this.limits(MANY);
    this.excess += before - after;
    this.boundExcess(after);
  }

  private boundExcess(limit: number): void {
    this.excess = Math.max(0, Math.min(this.excess, this.held[MANY]! - limit));
  }

  private count(level: Level, count: number): void {
    for (let better = level; better >= 0; better--) this.held[better]! += count;
  }

  get isIdle(): boolean {
    return this.held[0] === 0 && this.lines.every((line) => line.isEmpty);
  }
}
