/** A place in the queue: of one member, or of a group with a queue of its own. */
interface Place<T> {
  readonly path: readonly number[];
  member: T | undefined;
  group: FairQueue<T> | undefined;
  before: Place<T> | undefined;
  behind: Place<T> | undefined;
}

/**
 * A queue in which groups take turns, and within a group its groups, and so on (hierarchical round robin). With the path
 * merchant, shop, lane each merchant gets the same number of turns, regardless of how many shops it has.
 *
 *   first ─▶ merchant 1 ────────────────▶ merchant 2 ◀─ last      dequeue: 1-1-1, 2-3-4, 1-2-3, 1-1-2
 *              ├ shop 1: lanes 1 and 2      └ lane 4 of shop 3
 *              └ lane 3 of shop 2
 *
 *               enqueue                                         dequeue, remove
 *   not queued ─────────▶ last of its group ──▶ … ──▶ first of its group ──────▶ not queued
 *                         ▲                                    │ a group that still has members
 *                         └────────────────────────────────────┘
 *
 * - A member joins at the end of its group. No member is in the queue twice. All paths of a queue are of one length, and
 *   their last number names the member.
 * - `dequeue` takes the first member of the first group; the groups that it came from go to the end. So n groups that are
 *   never empty get every n-th turn each.
 * - Each operation takes as long as the path has parts, regardless of the number of members.
 * - Members that have left cost no memory, however often they come and go. So the order is a list of its own, and not that
 *   of the map: V8 rebuilds a map every few deletions, and an iterator that is kept holds all former tables.
 * Why not a library: p-queue, fastq and bottleneck know one level or priorities, and none takes turns.
 */
export class FairQueue<T> {
  private readonly places = new Map<number, Place<T>>();
  private first: Place<T> | undefined;
  private last: Place<T> | undefined;

  /** `depth`: the place in a path of the number that tells its groups apart. */
  constructor(private readonly depth = 0) {}

  get isEmpty(): boolean {
    return this.first === undefined;
  }

  enqueue(path: readonly number[], member: T): void {
    const place = this.placeOf(path);
    if (place) this.groupAt(place).enqueue(path, member);
    else {
      const added = { path, member, group: undefined, before: undefined, behind: undefined };
      this.places.set(path[this.depth]!, added);
      this.append(added);
    }
  }

  dequeue(): T | undefined {
    const place = this.first;
    if (place === undefined) return undefined;
    const member = place.group ? place.group.dequeue() : place.member;
    if (!place.group || place.group.isEmpty) this.delete(place);
    else {
      this.unlink(place);
      this.append(place);
    }
    return member;
  }

  /** Takes the member of this path out, if it is in the queue. */
  remove(path: readonly number[]): void {
    const place = this.placeOf(path);
    place?.group?.remove(path);
    const isOver = place?.group ? place.group.isEmpty : place?.path.every((each, level) => each === path[level]);
    if (isOver) this.delete(place!);
  }

  private placeOf(path: readonly number[]): Place<T> | undefined {
    return this.places.get(path[this.depth]!);
  }

  /** A single member has no group: of most shops one lane waits, and a group for it would cost a map. */
  private groupAt(place: Place<T>): FairQueue<T> {
    if (place.group === undefined) {
      place.group = new FairQueue<T>(this.depth + 1);
      place.group.enqueue(place.path, place.member!);
      place.member = undefined;
    }
    return place.group;
  }

  /** Former tables of the map keep the place until the next full garbage collection: it must hold nothing else. */
  private delete(place: Place<T>): void {
    this.places.delete(place.path[this.depth]!);
    this.unlink(place);
    place.member = place.group = undefined;
  }

  private append(place: Place<T>): void {
    place.before = this.last;
    if (this.last) this.last.behind = place;
    else this.first = place;
    this.last = place;
  }

  private unlink(place: Place<T>): void {
    const { before, behind } = place;
    if (before) before.behind = behind;
    else this.first = behind;
    if (behind) behind.before = before;
    else this.last = before;
    place.before = place.behind = undefined;
  }
}
