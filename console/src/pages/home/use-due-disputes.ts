import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { dueSoon } from '../disputes/dispute-filter';
import { isUrgent } from '../disputes/due-text';

/** The most disputes of one answer of the API. */
const MOST = 100;

/** Reads the open disputes whose evidence is overdue or due soon. Refreshing `/disputes` reads them again. */
export function useDueDisputes() {
  return useQuery({
    queryKey: ['/disputes', 'due soon'],
    queryFn: async ({ signal }) => {
      const now = Date.now();
      const before = dueSoon(now);
      const query = { due_before: before, limit: MOST };
      const { data, pagination } = await api.get('/disputes', { params: { query }, signal });
      return { rows: data, count: data.length, isCut: pagination.has_more, isUrgent: isUrgent(data, now), before };
    },
  });
}
