import type { Schema } from '@payment-orchestrator/client';

export interface Hour {
  at: number;
  succeeded: number;
  failed: number;
}

const HOURS = 24;
const HOUR_MS = 3_600_000;

/** The 24 hours that are counted, including hours without attempts. */
export function dayOf({ since, hours }: Pick<Schema<'EndpointDetail'>, 'since' | 'hours'>): Hour[] {
  const known = new Map(hours.map((hour) => [Date.parse(hour.hour), hour]));
  return Array.from({ length: HOURS }, (_, index) => {
    const at = Date.parse(since) + index * HOUR_MS;
    const { attempts = 0, delivered = 0 } = known.get(at) ?? {};
    return { at, succeeded: delivered, failed: attempts - delivered };
  });
}
