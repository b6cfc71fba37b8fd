// The worst requests of one client, each valid and within the limits of the API.
import type { Target } from '../processes/load-generator.js';
import { FLOW, paymentRequest } from '../support/api-fixtures.js';

export interface Attack {
  name: string;
  method: Target['method'];
  path: string;
  bodies: string[];
  connections: number;
}

/** The attacker's flow and shops. */
export interface Attacker {
  flowId: number;
  shopIds: number[];
}

const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, at) => prefix + at);
const members = (shopIds: number[]) => shopIds.map((shop_id, at) => ({ shop_id, weight: at + 1 }));

/** Many rules with many values: each decision checks all of them. */
function heavyDefinition(shopIds: number[]): object {
  const rules = Array.from({ length: 25 }, (_, at) => ({
    when: {
      all: [
        { [`metadata.a${at}`]: { in: names(`x${at}`, 40) } },
        { [`metadata.b${at}`]: { in: names(`y${at}`, 40) } },
        { any: [{ amount: { min: at * 10 + 1, max: at * 10 + 500 } }, { currency: { in: ['EUR', 'USD'] } }] },
      ],
    },
    use: { shops: [shopIds[at % 60], shopIds[(at + 7) % 60]], strategy: 'weighted' },
  }));
  return { strategy: 'rules', shops: members(shopIds), rules, default: { shops: shopIds, strategy: 'weighted' } };
}

/** Random clauses of three literals: a search that takes the maximum number of steps. */
function longVerification([shopId]: number[]): object {
  let seed = 7;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor(seed / 65_536) % below;
  };
  const literal = () => {
    const test = next(2) ? { equals: true } : { not: true };
    return { [`metadata.f${next(40)}`]: test };
  };
  const clauses = Array.from({ length: 190 }, () => ({ any: [literal(), literal(), literal()] }));
  const when = { all: [{ all: clauses.slice(0, 95) }, { all: clauses.slice(95) }] };
  return { strategy: 'round_robin', shops: [{ shop_id: shopId }], assertions: [{ when, never: shopId }] };
}

/** No past payment matches a rule, and each is checked against all of them. */
function heavyDraft(shopIds: number[]): object {
  const rules = shopIds.map((shopId, at) => ({
    when: {
      all: [
        { [`metadata.k${at}`]: { not: `v${at}` } },
        { any: [{ amount: { min: 100_000 + at } }, { country: { in: ['IT', 'FR'] } }] },
      ],
    },
    use: { shops: [shopId], strategy: 'weighted' },
  }));
  return { strategy: 'rules', shops: members(shopIds), rules, default: { shops: shopIds, strategy: 'weighted' } };
}

const unknownKeys = (): string =>
  JSON.stringify(Object.fromEntries(names('k', 25_000).map((key) => [Number(key.slice(1)).toString(36) + '_', 1])));

export const attacks = ({ flowId, shopIds }: Attacker): Attack[] => {
  const simulation = { flow_name: FLOW, amount: 10, currency: 'EUR', definition: heavyDefinition(shopIds) };
  const post = (name: string, path: string, body: unknown, connections: number): Attack => ({
    name,
    method: 'POST',
    path,
    bodies: [typeof body === 'string' ? body : JSON.stringify(body)],
    connections,
  });
  return [
    post('simulations of 1,000 payments', '/flows/simulate', { ...simulation, count: 1_000 }, 50),
    post('explanations', '/flows/simulate', { ...simulation, count: 1_000, explain: true }, 50),
    { ...post('verifications of assertions', `/flows/${flowId}`, longVerification(shopIds), 20), method: 'PATCH' },
    post('backtests', `/flows/${flowId}/backtest`, { definition: heavyDraft(shopIds) }, 6),
    post('refused bodies', '/flows/simulate', unknownKeys(), 10),
  ];
};

/** Delivers all webhooks of the last day again. */
export const redeliveries = (shopId: number): Attack => {
  const day = 86_400_000;
  const [from, to] = [-day, day].map((ms) => new Date(Date.now() + ms).toISOString());
  const bodies = [JSON.stringify({ from, to })];
  return {
    name: 'redeliveries',
    method: 'POST',
    path: `/webhooks/shop/${shopId}/replay`,
    bodies,
    connections: 6,
  };
};

/** Payments whose webhooks go to `endpoints`. */
export const payments = (name: string, endpoints: string[]): Attack => ({
  name,
  method: 'POST',
  path: '/payments',
  bodies: endpoints.map((endpoint) => paymentRequest(endpoint)),
  connections: 40,
});
