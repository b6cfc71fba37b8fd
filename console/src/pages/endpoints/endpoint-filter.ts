import type { Schema } from '@payment-orchestrator/client';
import type { Tone } from '../../ui/badge';
import { percentText } from '../../ui/percent';

export type Endpoint = Schema<'Endpoint'>;

export const STATUSES = ['healthy', 'erring', 'failing'] as const satisfies Endpoint['status'][];

export const KINDS = ['standing', 'payment'] as const satisfies Endpoint['kind'][];

export const KIND_NAMES: Record<Endpoint['kind'], string> = {
  standing: 'Standing endpoints',
  payment: 'Addresses of payments',
};

/** The search parameters of the page's URL. */
export interface EndpointSearch {
  kind?: Endpoint['kind'];
  status?: Endpoint['status'];
  shop_id?: number;
}

/** Removes unknown and invalid parameters. */
export function validEndpointSearch(search: Record<string, unknown>): EndpointSearch {
  const status = STATUSES.find((each) => each === search['status']);
  const kind = KINDS.find((each) => each === search['kind']);
  const shopId = Number(search['shop_id']);
  return {
    ...(kind && { kind }),
    ...(status && { status }),
    ...(Number.isSafeInteger(shopId) && shopId > 0 && { shop_id: shopId }),
  };
}

const TONES: Record<Endpoint['status'], Tone> = { healthy: 'good', erring: 'warn', failing: 'bad' };
export const toneOf = (status: Endpoint['status']): Tone => TONES[status];

type State = NonNullable<Endpoint['state']>;
const STATE_TONES: Record<State, Tone> = { active: 'good', paused: 'neutral', disabled: 'bad' };
export const toneOfState = (state: State): Tone => STATE_TONES[state];

/** The API counts pending deliveries up to this number. */
const MOST_COUNTED = 1_000;
export const pendingText = (pending: number): string =>
  pending >= MOST_COUNTED ? '1,000 or more' : pending.toLocaleString('en');

/** Success rate of the attempts, `–` if there were none. Computed from the counts, because `success_rate` is rounded already. */
export const rateText = ({ attempts, delivered }: Pick<Endpoint, 'attempts' | 'delivered'>): string =>
  attempts === 0 ? '–' : percentText(delivered / attempts);
export const msText = (ms: number | null): string => (ms === null ? '–' : `${ms.toLocaleString('en')} ms`);

/** Whether `address` belongs to the endpoint: it has the same scheme, host and port. */
export const isAt = (origin: string, address: string): boolean =>
  URL.canParse(address) && new URL(address).origin === origin;
