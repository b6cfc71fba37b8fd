import type { Schema } from '@payment-orchestrator/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { useCan } from '../../api/session';

/** Enough for the largest flow; names of shops beyond it are their ids. */
const MAX_SHOPS = 500;
const PAGE_SIZE = 100;

export const flowQuery = (id: number) =>
  queryOptions({
    queryKey: ['/flows/{id}', id],
    queryFn: async ({ signal }) => (await api.get('/flows/{id}', { params: { path: { id } }, signal })).data,
  });

/** A version never changes, but for whether it is the active one. */
export const versionQuery = (id: number, version: number | undefined) =>
  queryOptions({
    queryKey: ['/flows/{id}/versions/{version}', id, version],
    queryFn: async ({ signal }) => {
      const params = { path: { id, version: version! } };
      return (await api.get('/flows/{id}/versions/{version}', { params, signal })).data;
    },
    enabled: version !== undefined,
  });

/** Of whatever stores the flow's definition: it is not edited meanwhile. */
export const savingKey = (id: number) => ['save flow', id];

/** After a change of the flow all that was read of it is old. */
export async function flowChanged(): Promise<void> {
  const isOfFlows = ({ queryKey: [path] }: { queryKey: readonly unknown[] }) => String(path).startsWith('/flows');
  await queryClient.invalidateQueries({ predicate: isOfFlows });
}

export type NamedShop = Pick<Schema<'Shop'>, 'id' | 'name' | 'enabled'>;

/** The merchant's shops by id, as far as the session may see them. */
export function useShops(): ReadonlyMap<number, NamedShop> {
  const isEnabled = useCan('shops:read');
  const { data } = useQuery({ queryKey: ['shops by id'], queryFn: readShops, enabled: isEnabled });
  return data ?? NONE;
}

const NONE: ReadonlyMap<number, NamedShop> = new Map();

async function readShops(): Promise<ReadonlyMap<number, NamedShop>> {
  const shops = new Map<number, NamedShop>();
  for await (const shop of api.list('/shops', { params: { query: { limit: PAGE_SIZE } } })) {
    shops.set(shop.id, shop);
    if (shops.size === MAX_SHOPS) break;
  }
  return shops;
}

export type ShopNames = (id: number) => string;
