import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { queryClient } from '../../api/query-client';

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

export type ShopNames = (id: number) => string;
