import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Reads what begins with `key` again, after what is being read of it already: to cancel that would lose the further page that
 * somebody has asked for, and reads that take longer than the time between them would never end.
 */
export async function readAgain(client: QueryClient, key: QueryKey): Promise<void> {
  const filters = { queryKey: key };
  const isBusy = client.isFetching(filters) > 0;
  await client.invalidateQueries(filters, { cancelRefetch: false });
  if (isBusy) await client.invalidateQueries(filters, { cancelRefetch: false });
}
