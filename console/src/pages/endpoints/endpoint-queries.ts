import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { queryClient } from '../../api/query-client';

export const endpointQuery = (id: number) =>
  queryOptions({
    queryKey: ['/webhooks/endpoints', id],
    queryFn: async ({ signal }) =>
      (await api.get('/webhooks/endpoints/{id}', { params: { path: { id } }, signal })).data,
  });

/** Reads the lists and details of endpoints again after a change. */
export const endpointsChanged = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ['/webhooks/endpoints'] });
