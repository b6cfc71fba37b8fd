import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { dueSoon } from '../disputes/dispute-filter';

/** The most disputes of one answer of the API. */
const MOST = 100;

/** Reads the open disputes whose evidence is overdue or due soon. Refreshing `/disputes` reads them again. */
export function useDueDisputes() {
  return useQuery({
    queryKey: ['/disputes', 'due soon'],
    queryFn: async ({ signal }) => {
      const before = dueSoon(Date.now());
      const query = { due_before: before, sort: 'due' as const, limit: MOST };
      const { data } = await api.get('/disputes', { params: { query }, signal });
      return { rows: data, count: data.length };
    },
  });
}
