import type { Schema } from '@payment-orchestrator/client';
import { useShops } from '../../api/use-shops';
import type { ShopNames } from './flow-queries';

/** The names of shops: of all that the session may read, and of those in the flow. */
export function useShopNames(flow: Schema<'Flow'>): ShopNames {
  const shops = useShops();
  return (id) => shops.get(id)?.name ?? flow.shops.find(({ shop_id }) => shop_id === id)?.shop_name ?? `Shop ${id}`;
}
