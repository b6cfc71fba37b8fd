import { afterEach, describe, expect, it } from '@jest/globals';
import { MutationObserver, notifyManager, onlineManager, QueryObserver } from '@tanstack/react-query';
import { queryClient } from './query-client';

afterEach(() => {
  onlineManager.setOnline(true);
  queryClient.clear();
});

describe('a mutation of a page', () => {
  it('reports "pending" before the next click, so that it is not sent twice', async () => {
    let sent = 0;
    const refund = new MutationObserver(queryClient, {
      mutationFn: () => {
        sent++;
        return new Promise<never>(() => undefined);
      },
    });
    const statuses: string[] = [];
    // as a component subscribes
    const stop = refund.subscribe(notifyManager.batchCalls(({ status }) => void statuses.push(status)));
    void refund.mutate();
    // everything that runs before the next task
    await new Promise<void>((resolve) => process.nextTick(() => queueMicrotask(resolve)));
    expect([sent, statuses.at(-1)]).toEqual([1, 'pending']);
    stop();
  });

  it('reaches the server at once, like a query, although the browser says that it is offline', async () => {
    onlineManager.setOnline(false);
    let sent = 0;
    const send = (): Promise<string> => {
      sent++;
      return Promise.resolve('done');
    };
    const write = new MutationObserver(queryClient, { mutationFn: send });
    const read = new QueryObserver(queryClient, { queryKey: ['a page'], queryFn: send });
    void write.mutate();
    void read.refetch();
    await new Promise((resolve) => setImmediate(resolve));
    expect([sent, write.getCurrentResult().isPaused, read.getCurrentResult().fetchStatus]).toEqual([2, false, 'idle']);
  });
});
