import type { Schema } from '@payment-orchestrator/client';
import type { Tone } from '../../ui/badge';
import { percentText } from '../../ui/percent';

export type Endpoint = Schema<'Endpoint'>;

export const STATUSES = ['healthy', 'erring', 'failing'] as const satisfies Endpoint['status'][];

/** The filter of the list, as it stands in the URL. */
export interface EndpointSearch {
  status?: Endpoint['status'];
  shop_id?: number;
}

/** What is no filter is left out. */
export function validEndpointSearch(search: Record<string, unknown>): EndpointSearch {
  const status = STATUSES.find((each) => each === search['status']);
  const shopId = Number(search['shop_id']);
  return {
    ...(status && { status }),
    ...(Number.isSafeInteger(shopId) && shopId > 0 && { shop_id: shopId }),
  };
}

const TONES: Record<Endpoint['status'], Tone> = { healthy: 'good', erring: 'warn', failing: 'bad' };
export const toneOf = (status: Endpoint['status']): Tone => TONES[status];

/** Counts of what waits end here. */
const MOST_COUNTED = 1_000;
export const pendingText = (pending: number): string =>
  pending >= MOST_COUNTED ? '1,000 or more' : pending.toLocaleString('en');

/** Of the attempts; `–` when there was none. Of the counts: `success_rate` is rounded already. */
export const rateText = ({ attempts, delivered }: Pick<Endpoint, 'attempts' | 'delivered'>): string =>
  attempts === 0 ? '–' : percentText(delivered / attempts);
export const msText = (ms: number | null): string => (ms === null ? '–' : `${ms.toLocaleString('en')} ms`);

/** Whether `address` goes to the endpoint: what it shares with it ends where the host and port do. */
export const isAt = (origin: string, address: string): boolean =>
  URL.canParse(address) && new URL(address).origin === origin;
