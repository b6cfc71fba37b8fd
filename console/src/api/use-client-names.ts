import { useQuery } from '@tanstack/react-query';
import { api } from './client';
import { useCan } from './session';

const FRESH_MS = 60_000;

/** The names of the merchant's API clients by id. Empty while they are loading, or if the session may not read them. */
export function useClientNames(): ReadonlyMap<string, string> {
  const enabled = useCan('audit:read');
  const { data } = useQuery({ queryKey: ['/clients', 'names'], queryFn: clientNames, enabled, staleTime: FRESH_MS });
  return data ?? NO_NAMES;
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();

async function clientNames(): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for await (const { client_id: id, name } of api.list('/clients', { params: { query: { limit: 100 } } }))
    names.set(id, name);
  return names;
}
