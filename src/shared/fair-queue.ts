/** An entry of the queue: a single member, or a group with its own queue. */
interface Entry<T> {
  readonly path: readonly number[];
  member: T | undefined;
  group: FairQueue<T> | undefined;
  before: Entry<T> | undefined;
  behind: Entry<T> | undefined;
}

/**
 * A queue with hierarchical round robin: it serves the groups in rotation, then the groups inside a group, and so on.
 * With the path merchant, shop, lane each merchant is served equally often, regardless of its number of shops.
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
 * - A member is added at the end of its group. No member is in the queue twice. All paths of a queue have the same
 *   length, and their last number identifies the member.
 * - `dequeue` takes the first member of the first group and moves that group to the end. So each of n non-empty groups
 *   is served on every n-th call.
 * - The cost of an operation depends on the length of the path, not on the number of members.
 * - Removed members use no memory, even after many additions and removals. Therefore a linked list keeps the order, and
 *   not the map: V8 rebuilds a map every few deletions, and an iterator that is kept holds all its former tables.
 * Why not a library: p-queue, fastq and bottleneck have one level or priorities, and no round robin.
 */
export class FairQueue<T> {
  private readonly entries = new Map<number, Entry<T>>();
  private first: Entry<T> | undefined;
  private last: Entry<T> | undefined;

  /** `depth`: index of the number in a path that identifies a group of this queue. */
  constructor(private readonly depth = 0) {}

  get isEmpty(): boolean {
    return this.first === undefined;
  }

  enqueue(path: readonly number[], member: T): void {
    const entry = this.entryAt(path);
    if (entry) this.groupAt(entry).enqueue(path, member);
    else {
      const added = { path, member, group: undefined, before: undefined, behind: undefined };
      this.entries.set(path[this.depth]!, added);
      this.append(added);
    }
  }

  dequeue(): T | undefined {
    const entry = this.first;
    if (entry === undefined) return undefined;
    const member = entry.group ? entry.group.dequeue() : entry.member;
    if (!entry.group || entry.group.isEmpty) this.delete(entry);
    else {
      this.unlink(entry);
      this.append(entry);
    }
    return member;
  }

  /** Removes the member with this path, if it is in the queue. */
  remove(path: readonly number[]): void {
    const entry = this.entryAt(path);
    entry?.group?.remove(path);
    const isOver = entry?.group ? entry.group.isEmpty : entry?.path.every((each, level) => each === path[level]);
    if (isOver) this.delete(entry!);
  }

  private entryAt(path: readonly number[]): Entry<T> | undefined {
    return this.entries.get(path[this.depth]!);
  }

  /** Returns the group of an entry, created for its second member. Most shops have one waiting lane: a group would cost a map. */
  private groupAt(entry: Entry<T>): FairQueue<T> {
    if (entry.group === undefined) {
      entry.group = new FairQueue<T>(this.depth + 1);
      entry.group.enqueue(entry.path, entry.member!);
      entry.member = undefined;
    }
    return entry.group;
  }

  /** Clears the entry: former tables of the map keep it until the next full garbage collection, so it must reference nothing. */
  private delete(entry: Entry<T>): void {
    this.entries.delete(entry.path[this.depth]!);
    this.unlink(entry);
    entry.member = entry.group = undefined;
  }

  private append(entry: Entry<T>): void {
    entry.before = this.last;
    if (this.last) this.last.behind = entry;
    else this.first = entry;
    this.last = entry;
  }

  private unlink(entry: Entry<T>): void {
    const { before, behind } = entry;
    if (before) before.behind = behind;
    else this.first = behind;
    if (behind) behind.before = before;
    else this.last = before;
    entry.before = entry.behind = undefined;
  }
}
