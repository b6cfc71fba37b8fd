import { ProblemError } from '@payment-orchestrator/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

/** A session that has ended shows the sign-in page, from wherever it is noticed. */
function onError(error: unknown): void {
  if (error instanceof ProblemError && error.status === 401) queryClient.setQueryData(['session'], null);
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // the client repeats what is worth it
    queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});
