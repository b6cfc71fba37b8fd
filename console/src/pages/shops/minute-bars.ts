/** Outcomes of payments in one minute. */
export interface MinuteCounts {
  at: string;
  approved: number;
  declined: number;
  failed: number;
}

export type OutcomeKind = 'failed' | 'declined' | 'approved';

/** A part of a bar. Its position and height are shares of the chart's height, from the bottom. */
interface BarPart {
  kind: OutcomeKind;
  from: number;
  height: number;
}

export interface MinuteBar extends MinuteCounts {
  parts: BarPart[];
}

/** From the bottom: failures come first, because small numbers are easy to see there. */
const KINDS: readonly OutcomeKind[] = ['failed', 'declined', 'approved'];

export const totalOf = ({ approved, declined, failed }: Omit<MinuteCounts, 'at'>): number =>
  approved + declined + failed;

/** The bars of the minutes; the largest has the full height. */
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
