import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { api } from './client';
import { useCan } from './session';

/** All types of events with their descriptions. Empty while they are loading, or if the session may not read them. */
export function useEventTypes(): { types: readonly Schema<'EventTypeDescription'>[]; error: unknown } {
  const enabled = useCan('webhooks:read');
  const { data, error } = useQuery({
    queryKey: ['/webhooks/event-types'],
    queryFn: async ({ signal }) => (await api.get('/webhooks/event-types', { signal })).data,
    enabled,
    staleTime: Infinity,
  });
  return { types: data ?? NO_TYPES, error };
}

const NO_TYPES: readonly Schema<'EventTypeDescription'>[] = [];

/** A description without the backticks that mark code in it, for places that show plain text. */
export const plainText = (description: string): string => description.replaceAll('`', '');
