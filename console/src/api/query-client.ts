import { notifyManager, QueryClient } from '@tanstack/react-query';

// a page learns that it has sent something before the next click, which would send it again: not in a task of its own
notifyManager.setScheduler(queueMicrotask);

export const queryClient = new QueryClient({
  defaultOptions: {
    // the client repeats what is worth it
    // and what the browser takes for offline is asked for, too: a write that waits would be sent when nobody expects it any more
    queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});
