import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { queryClient } from '../../api/query-client';

/** Maximum age of the shown health and statistics. */
const REFRESH_MS = 10_000;

const shopParams = (shopId: number) => ({ params: { path: { id: shopId } } });

export const shopQuery = (shopId: number) =>
  queryOptions({
    queryKey: ['/shops/{id}', shopId],
    queryFn: async ({ signal }) => (await api.get('/shops/{id}', { ...shopParams(shopId), signal })).data,
    refetchInterval: REFRESH_MS,
  });

export const shopStatsQuery = (shopId: number) =>
  queryOptions({
    queryKey: ['/shops/{id}/stats', shopId],
    queryFn: async ({ signal }) => (await api.get('/shops/{id}/stats', { ...shopParams(shopId), signal })).data,
    refetchInterval: REFRESH_MS,
  });

export const shopCredentialsQuery = (shopId: number) =>
  queryOptions({
    queryKey: ['/shops/{id}/credentials', shopId],
    queryFn: async ({ signal }) => (await api.get('/shops/{id}/credentials', { ...shopParams(shopId), signal })).data,
  });

export const webhookStatsQuery = (shopId: number) =>
  queryOptions({
    queryKey: ['/webhooks/shop/{shopId}/stats', shopId],
    queryFn: async ({ signal }) =>
      (await api.get('/webhooks/shop/{shopId}/stats', { params: { path: { shopId } }, signal })).data,
    refetchInterval: REFRESH_MS,
  });

export const providersQuery = queryOptions({
  queryKey: ['/providers'],
  queryFn: async ({ signal }) => (await api.get('/providers', { signal })).data,
  staleTime: Infinity,
});

/** Reads all data again that depends on the shop. Other shops change with it if they share its account. */
export async function shopChanged(shopId: number): Promise<void> {
  const keys = [
    ['/shops'],
    ['/shops/{id}'],
    ['/shops/{id}/credentials', shopId],
    ['/webhooks/shop/{shopId}/stats', shopId],
  ];
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
