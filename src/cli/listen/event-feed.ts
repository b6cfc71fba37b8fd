import { interruptiblePause, withTimeout } from '../../shared/clock.js';
import { CommandError } from '../terminal.js';
import { serverSentEvents, type StreamedEvent } from './server-sent-events.js';
import { connectionReason, Refusal, type ServiceClient } from './service-client.js';

/** Three heartbeats: whoever is not heard for so long is not there, whatever the connection says. */
const READ_TIMEOUT_MS = 45_000;
/** Between tries to connect; doubled each time, up to the longest. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** For which the service may ask: a timer that is set to more than 24 days fires at once. */
const LONGEST_ASKED_MS = 3_600_000;

export interface FeedOptions {
  client: Pick<ServiceClient, 'events'>;
  search: URLSearchParams;
  signal: AbortSignal;
  onConnected: () => void;
  /** Why; said again only when there is another reason. It is tried again until it works. */
  onLost: (reason: string) => void;
}

/**
 * Events without end, over as many connections as it takes: each goes on behind the last event of the one before. Ends when
 * `signal` is aborted; throws a `CommandError` when there is no use in trying again.
 */
export async function* eventFeed(options: FeedOptions): AsyncGenerator<StreamedEvent & { data: string }, void> {
  const { client, search, signal, onConnected, onLost } = options;
  let lastEventId: string | undefined;
  let failures = 0;
  let isAway = true;
  let said: string | undefined;
  while (!signal.aborted) {
    try {
      const response = await client.events(search, lastEventId, signal);
      failures = 0;
      if (isAway) onConnected();
      isAway = false;
      said = undefined;
      for await (const event of serverSentEvents(heard(response))) {
        lastEventId = event.lastEventId;
        const { data } = event;
        if (data !== null) yield { ...event, data };
      }
      // the service ends its streams now and then: that is no loss
      await interruptiblePause(FIRST_PAUSE_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof CommandError) throw error;
      failures += 1;
      isAway = true;
      const reason = connectionReason(error);
      if (reason !== said) onLost(reason);
      said = reason;
      await interruptiblePause(pauseAfter(failures, error), signal);
    }
  }
}

function pauseAfter(failures: number, error: unknown): number {
  const asked = error instanceof Refusal ? Math.min(error.retryAfterMs, LONGEST_ASKED_MS) : 0;
  return Math.max(asked, Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS));
}

/** What is read of the answer. Throws when nothing is heard for too long. */
async function* heard(response: Response): AsyncGenerator<Uint8Array, void> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { value, done } = await withTimeout(READ_TIMEOUT_MS, reader.read(), 'the service has gone silent');
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
