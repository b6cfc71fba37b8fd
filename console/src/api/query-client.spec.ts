import { afterEach, describe, expect, it } from '@jest/globals';
import { MutationObserver, notifyManager, onlineManager, QueryObserver } from '@tanstack/react-query';
import { queryClient } from './query-client';

afterEach(() => {
  onlineManager.setOnline(true);
  queryClient.clear();
});

describe('what a page sends', () => {
  it('is known to be under way before the next click, which would send it again', async () => {
    let sent = 0;
    const refund = new MutationObserver(queryClient, {
      mutationFn: () => {
        sent++;
        return new Promise<never>(() => undefined);
      },
    });
    const told: string[] = [];
    // as a component subscribes
    const stop = refund.subscribe(notifyManager.batchCalls(({ status }) => void told.push(status)));
    void refund.mutate();
    // all that runs before another task
    await new Promise<void>((resolve) => process.nextTick(() => queueMicrotask(resolve)));
    expect([sent, told.at(-1)]).toEqual([1, 'pending']);
    stop();
  });

  it('is not kept for later while the browser says that it is offline', async () => {
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
