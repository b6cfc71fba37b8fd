import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Reads every query whose key begins with `key` again, after the reads that are running. Cancelling these would lose a
 * further page that the user has requested. If reads took longer than the time between calls, none would ever finish.
 */
export async function readAgain(client: QueryClient, key: QueryKey): Promise<void> {
  const filters = { queryKey: key };
  const isBusy = client.isFetching(filters) > 0;
  await client.invalidateQueries(filters, { cancelRefetch: false });
  if (isBusy) await client.invalidateQueries(filters, { cancelRefetch: false });
}
