import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { api } from './client';
import { useCan } from './session';

/** What a list to choose from bears. */
const MAX_SHOPS = 1_000;

/** The merchant's shops by id, the newest 1,000; none while they are on their way, or when the session may not read them. */
export function useShops(): ReadonlyMap<number, Schema<'Shop'>> {
  const mayRead = useCan('shops:read');
  const { data } = useQuery({ queryKey: ['/shops', 'all'], queryFn: allShops, enabled: mayRead, staleTime: 60_000 });
  return data ?? NONE;
}

const NONE: ReadonlyMap<number, Schema<'Shop'>> = new Map();

async function allShops(): Promise<Map<number, Schema<'Shop'>>> {
  const shops = new Map<number, Schema<'Shop'>>();
  for await (const shop of api.list('/shops', { params: { query: { limit: 100 } } })) {
    shops.set(shop.id, shop);
    if (shops.size >= MAX_SHOPS) break;
  }
  return shops;
}
