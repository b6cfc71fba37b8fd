/**
 * A line in which groups take turns, and within a group its groups, and so on: with the path merchant, shop, lane each
 * merchant gets every n-th turn however many shops it has.
 */
export class Turns<T> {
  /** In the order of their turns. */
  private readonly branches = new Map<number, Turns<T>>();
  private member: T | undefined;

  get isEmpty(): boolean {
    return this.branches.size === 0 && this.member === undefined;
  }

  /** At the end of its group. All paths of one line are of one length, and nobody is in line twice. */
  add(path: readonly number[], member: T, depth = 0): void {
    if (depth === path.length) {
      this.member = member;
      return;
    }
    const key = path[depth]!;
    let branch = this.branches.get(key);
    if (branch === undefined) this.branches.set(key, (branch = new Turns<T>()));
    branch.add(path, member, depth + 1);
  }

  /** Takes out whose turn it is; the groups that it came from go behind the others. */
  next(): T | undefined {
    const [first] = this.branches;
    if (first === undefined) return this.member;
    const [key, branch] = first;
    const member = branch.next();
    this.branches.delete(key);
    if (!branch.isLeaf && !branch.isEmpty) this.branches.set(key, branch);
    return member;
  }

  delete(path: readonly number[], depth = 0): void {
    const key = path[depth]!;
    const branch = this.branches.get(key);
    if (branch === undefined) return;
    if (depth < path.length - 1) branch.delete(path, depth + 1);
    if (depth === path.length - 1 || branch.isEmpty) this.branches.delete(key);
  }

  private get isLeaf(): boolean {
    return this.member !== undefined;
  }
}
