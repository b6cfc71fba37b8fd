/** Who is alone below a branch stands there: of most shops one lane is in line, and a group for it would cost a map. */
interface Single<T> {
  path: readonly number[];
  member: T;
}

/**
 * A line in which groups take turns, and within a group its groups, and so on: with the path merchant, shop, lane each
 * merchant gets every n-th turn however many shops it has.
 */
export class Turns<T> {
  /** In the order of their turns. */
  private readonly branches = new Map<number, Turns<T> | Single<T>>();
  /** Goes on where the last turn was: from the start of a map, all that was ever deleted there would be passed again. */
  private cursor = this.branches.entries();

  get isEmpty(): boolean {
    return this.branches.size === 0;
  }

  /** At the end of its group. All paths of one line are of one length, and nobody is in line twice. */
  add(path: readonly number[], member: T, depth = 0): void {
    const branch = this.branches.get(path[depth]!);
    if (branch === undefined) this.branches.set(path[depth]!, { path, member });
    else this.groupOf(branch, depth).add(path, member, depth + 1);
  }

  /** Takes out whose turn it is; the groups that it came from go behind the others. */
  next(): T | undefined {
    // a map is built anew every few times that something leaves it and comes back
    if (this.branches.size === 1) for (const key of this.branches.keys()) return this.nextOf(key);
    if (this.isEmpty) return undefined;
    let turn = this.cursor.next();
    if (turn.done) turn = (this.cursor = this.branches.entries()).next();
    const [key, branch] = turn.value!;
    this.branches.delete(key);
    if (!(branch instanceof Turns)) return branch.member;
    const member = branch.next();
    if (!branch.isEmpty) this.branches.set(key, branch);
    return member;
  }

  /** As `next`, for one group of the first level, which keeps its place. */
  nextOf(key: number): T | undefined {
    const branch = this.branches.get(key);
    const member = branch instanceof Turns ? branch.next() : branch?.member;
    if (!(branch instanceof Turns) || branch.isEmpty) this.branches.delete(key);
    return member;
  }

  delete(path: readonly number[], depth = 0): void {
    const key = path[depth]!;
    const branch = this.branches.get(key);
    if (branch instanceof Turns) branch.delete(path, depth + 1);
    const isOver = branch instanceof Turns ? branch.isEmpty : branch?.path.every((each, level) => each === path[level]);
    if (isOver) this.branches.delete(key);
  }

  /** In the place of a single one, a group that begins with it. */
  private groupOf(branch: Turns<T> | Single<T>, depth: number): Turns<T> {
    if (branch instanceof Turns) return branch;
    const group = new Turns<T>();
    group.add(branch.path, branch.member, depth + 1);
    this.branches.set(branch.path[depth]!, group);
    return group;
  }
}
