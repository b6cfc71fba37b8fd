/** Counts how often each documented exception was met, so that none is listed that no longer happens. */
export type Exceptions = Map<string, number>;

export interface Exception<Case> {
  why: string;
  isMet: (of: Case) => boolean;
}

/** Whether one of the exceptions explains a difference. */
export function isExplained<Case>(of: Case, documented: readonly Exception<Case>[], met: Exceptions): boolean {
  const found = documented.find((exception) => exception.isMet(of));
  if (found) met.set(found.why, (met.get(found.why) ?? 0) + 1);
  return found !== undefined;
}
