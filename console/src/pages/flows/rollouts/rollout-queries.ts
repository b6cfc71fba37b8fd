import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/client';

const PATH = '/flows/{id}/rollouts/{rolloutId}';

/** A rollout with the comparison of its versions. */
export const rolloutQuery = (flowId: number, rolloutId: number) =>
  queryOptions({
    queryKey: [PATH, flowId, rolloutId],
    queryFn: async ({ signal }) => {
      const params = { path: { id: flowId, rolloutId } };
      return (await api.get(PATH, { params, signal })).data;
    },
  });
