import { notifyManager, QueryClient } from '@tanstack/react-query';

// components see "pending" before the next click is handled, which would send the request again: no separate task
notifyManager.setScheduler(queueMicrotask);

export const queryClient = new QueryClient({
  defaultOptions: {
    // the API client repeats requests where that helps;
    // requests are sent even if the browser says that it is offline: a delayed write would be sent when no one expects it
    queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});
