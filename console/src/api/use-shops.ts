import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { api } from './client';
import { useCan } from './session';

/** The most options that a selection list can show. */
const MOST = 1_000;
const FRESH_MS = 60_000;

/** The merchant's newest 1,000 shops by id. Empty while they are loading, or if the session may not read them. */
export function useShops(): ReadonlyMap<number, Schema<'Shop'>> {
  const enabled = useCan('shops:read');
  const { data } = useQuery({
    queryKey: ['/shops', 'all'],
    queryFn: () => newest(api.list('/shops', ALL)),
    enabled,
    staleTime: FRESH_MS,
  });
  return data ?? NO_SHOPS;
}

/** The names of the merchant's newest 1,000 flows by id. Empty in the same cases as {@link useShops}. */
export function useFlowNames(): ReadonlyMap<number, string> {
  const enabled = useCan('flows:read');
  const { data } = useQuery({ queryKey: ['/flows', 'names'], queryFn: flowNames, enabled, staleTime: FRESH_MS });
  return data ?? NO_NAMES;
}

const NO_SHOPS: ReadonlyMap<number, Schema<'Shop'>> = new Map();
const NO_NAMES: ReadonlyMap<number, string> = new Map();

async function flowNames(): Promise<Map<number, string>> {
  return new Map([...(await newest(api.list('/flows', ALL)))].map(([id, { name }]) => [id, name]));
}

const ALL = { params: { query: { limit: 100 } } };

async function newest<Row extends { id: number }>(rows: AsyncIterable<Row>): Promise<Map<number, Row>> {
  const found = new Map<number, Row>();
  for await (const row of rows) {
    found.set(row.id, row);
    if (found.size >= MOST) break;
  }
  return found;
}
