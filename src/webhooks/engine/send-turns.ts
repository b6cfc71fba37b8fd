import { Turns } from '../../shared/turns.js';

/** What is begun between two looks at the event loop: signing and writing so many requests takes a millisecond. */
export const SENDS_PER_TURN = 16;
/** Nothing more is begun after so long: a request on a new connection takes several times as long as on one that is open. */
export const TURN_MS = 1;

/** Called once: when its turn has come, or when it will not come any more. */
type Send = (isDropped: boolean) => void;

/** What waits of one lane, first come first served. */
interface LaneLine {
  readonly path: readonly number[];
  readonly sends: Send[];
}

/**
 * Deals out the beginning of requests, which occupies this process: a large claim is not sent in one go, while answers,
 * and the few deliveries of others, wait. Of what waits merchants take turns, then shops, then lanes.
 */
export class SendTurns {
  private readonly lanes = new Turns<LaneLine>();
  private readonly byLane = new Map<number, LaneLine>();
  private left = SENDS_PER_TURN;
  private startedAt = 0;
  private isResting = false;

  /** `now`: in ms, from any moment on. */
  constructor(private readonly now = () => performance.now()) {}

  /** `path`: merchant, shop, lane. Calls `send` at once when it may be. */
  take(path: readonly number[], send: Send): void {
    this.rest();
    if (this.hasTime) {
      this.left -= 1;
      send(false);
    } else this.lineOf(path).sends.push(send);
  }

  /** What waits of this lane is told at once that it has no turn. */
  drop(path: readonly number[]): void {
    const line = this.byLane.get(path.at(-1)!);
    if (line === undefined) return;
    this.end(line);
    for (const send of line.sends.splice(0)) send(true);
  }

  /** The next turn comes when the event loop has seen to everything else. */
  private rest(): void {
    if (this.isResting) return;
    this.isResting = true;
    this.startedAt = this.now();
    setImmediate(() => {
      this.isResting = false;
      this.left = SENDS_PER_TURN;
      this.startedAt = this.now();
      for (; this.hasTime && !this.lanes.isEmpty; this.left -= 1) this.beginNext();
      if (!this.lanes.isEmpty) this.rest();
    });
  }

  private get hasTime(): boolean {
    return this.left > 0 && this.now() - this.startedAt < TURN_MS;
  }

  private lineOf(path: readonly number[]): LaneLine {
    const laneId = path.at(-1)!;
    let line = this.byLane.get(laneId);
    if (line === undefined) {
      line = { path, sends: [] };
      this.byLane.set(laneId, line);
      this.lanes.add(path, line);
    }
    return line;
  }

  private beginNext(): void {
    const line = this.lanes.turn()!;
    const send = line.sends.shift()!;
    if (line.sends.length === 0) this.end(line);
    send(false);
  }

  private end({ path }: LaneLine): void {
    this.lanes.delete(path);
    this.byLane.delete(path.at(-1)!);
  }
}
