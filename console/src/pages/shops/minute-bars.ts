/** How payments of a minute came out. */
export interface MinuteCounts {
  at: string;
  approved: number;
  declined: number;
  failed: number;
}

export type OutcomeKind = 'failed' | 'declined' | 'approved';

/** A part of a minute's bar, in shares of the chart's height from below. */
interface BarPart {
  kind: OutcomeKind;
  from: number;
  height: number;
}

export interface MinuteBar extends MinuteCounts {
  parts: BarPart[];
}

/** From below: what is wrong stands on the ground, where small numbers are seen. */
const KINDS: readonly OutcomeKind[] = ['failed', 'declined', 'approved'];

export const totalOf = ({ approved, declined, failed }: Omit<MinuteCounts, 'at'>): number =>
  approved + declined + failed;

/** Bars of the minutes; the highest fills the chart. */
export function minuteBars(minutes: readonly MinuteCounts[]): { bars: MinuteBar[]; max: number } {
  const max = Math.max(0, ...minutes.map(totalOf));
  const bars = minutes.map((minute) => {
    let from = 0;
    const parts = KINDS.flatMap((kind) => {
      if (minute[kind] === 0) return [];
      const part = { kind, from, height: minute[kind] / max };
      from += part.height;
      return [part];
    });
    return { ...minute, parts };
  });
  return { bars, max };
}
