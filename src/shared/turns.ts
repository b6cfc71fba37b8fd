/** A place in line: of one member, or of a group with a line of its own. */
interface Place<T> {
  readonly path: readonly number[];
  member: T | undefined;
  group: Turns<T> | undefined;
  ahead: Place<T> | undefined;
  behind: Place<T> | undefined;
}

/**
 * A line in which groups take turns, and within a group its groups, and so on: with the path merchant, shop, lane each
 * merchant gets every n-th turn however many shops it has. All paths of one line are of one length.
 * The order is a list of its own, and not that of the map: a map that something leaves and comes back to is built anew every
 * few times, and an iterator that is kept holds all of its former tables.
 */
export class Turns<T> {
  private readonly places = new Map<number, Place<T>>();
  private first: Place<T> | undefined;
  private last: Place<T> | undefined;

  /** `depth`: of its groups, by the place in a path of what tells them apart. */
  constructor(private readonly depth = 0) {}

  get isEmpty(): boolean {
    return this.first === undefined;
  }

  /** At the end of its group. Nobody is in line twice. */
  add(path: readonly number[], member: T): void {
    const place = this.placeOf(path);
    if (place) this.groupAt(place).add(path, member);
    else {
      const added = { path, member, group: undefined, ahead: undefined, behind: undefined };
      this.places.set(path[this.depth]!, added);
      this.append(added);
    }
  }

  /** Takes out whose turn it is; the groups that it came from go behind the others. */
  next(): T | undefined {
    return this.first && this.takeFrom(this.putLast(this.first));
  }

  /** Whose turn it is, which stays in line, behind the others. */
  turn(): T | undefined {
    const place = this.first && this.putLast(this.first);
    return place?.group ? place.group.turn() : place?.member;
  }

  /** As `next`, for one group of the first level, which keeps its place. */
  nextOf(key: number): T | undefined {
    const place = this.places.get(key);
    return place && this.takeFrom(place);
  }

  delete(path: readonly number[]): void {
    const place = this.placeOf(path);
    place?.group?.delete(path);
    const isOver = place?.group ? place.group.isEmpty : place?.path.every((each, level) => each === path[level]);
    if (isOver) this.remove(place!);
  }

  private placeOf(path: readonly number[]): Place<T> | undefined {
    return this.places.get(path[this.depth]!);
  }

  /** Who was alone has no group: of most shops one lane is in line, and a group for it would cost a map. */
  private groupAt(place: Place<T>): Turns<T> {
    if (place.group === undefined) {
      place.group = new Turns<T>(this.depth + 1);
      place.group.add(place.path, place.member!);
      place.member = undefined;
    }
    return place.group;
  }

  private takeFrom(place: Place<T>): T | undefined {
    const member = place.group ? place.group.next() : place.member;
    if (!place.group || place.group.isEmpty) this.remove(place);
    return member;
  }

  private putLast(place: Place<T>): Place<T> {
    if (place !== this.last) {
      this.unlink(place);
      this.append(place);
    }
    return place;
  }

  /** What a map held is kept by its former tables until the next full garbage collection: the place, and nothing beside it. */
  private remove(place: Place<T>): void {
    this.places.delete(place.path[this.depth]!);
    this.unlink(place);
    place.member = place.group = undefined;
  }

  private append(place: Place<T>): void {
    place.ahead = this.last;
    if (this.last) this.last.behind = place;
    else this.first = place;
    this.last = place;
  }

  private unlink(place: Place<T>): void {
    const { ahead, behind } = place;
    if (ahead) ahead.behind = behind;
    else this.first = behind;
    if (behind) behind.ahead = ahead;
    else this.last = ahead;
    place.ahead = place.behind = undefined;
  }
}
