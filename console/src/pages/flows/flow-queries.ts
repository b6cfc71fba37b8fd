import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { queryClient } from '../../api/query-client';

export const flowQuery = (id: number) =>
  queryOptions({
    queryKey: ['/flows/{id}', id],
    queryFn: async ({ signal }) => (await api.get('/flows/{id}', { params: { path: { id } }, signal })).data,
  });

/** How often the rules of the active version decide. */
export const ruleFactsQuery = (id: number) =>
  queryOptions({
    queryKey: ['/flows/{id}/rules', id],
    queryFn: async ({ signal }) => (await api.get('/flows/{id}/rules', { params: { path: { id } }, signal })).data,
  });

/** A version. It never changes, except its status. */
export const versionQuery = (id: number, version: number | undefined) =>
  queryOptions({
    queryKey: ['/flows/{id}/versions/{version}', id, version],
    queryFn: async ({ signal }) => {
      const params = { path: { id, version: version! } };
      return (await api.get('/flows/{id}/versions/{version}', { params, signal })).data;
    },
    enabled: version !== undefined,
  });

/** The key of every mutation that stores the flow's definition; the editor is disabled while one runs. */
export const savingKey = (id: number) => ['save flow', id];

/** Reads all data of flows again after a change. */
export async function flowChanged(): Promise<void> {
  const isFlowQuery = ({ queryKey: [path] }: { queryKey: readonly unknown[] }) => String(path).startsWith('/flows');
  await queryClient.invalidateQueries({ predicate: isFlowQuery });
}

export type ShopNames = (id: number) => string;
