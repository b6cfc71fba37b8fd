import { setTimeout as pause } from 'node:timers/promises';
import { CommandError } from '../terminal.js';
import { serverSentEvents, type StreamedEvent } from './server-sent-events.js';
import { connectionReason, Refusal } from '../service-requests.js';
import type { ServiceClient } from './service-client.js';

/** Three heartbeat intervals: after this time without data the service counts as unavailable. */
const READ_TIMEOUT_MS = 45_000;
/** Pause between tries to connect; doubled each time, up to the longest. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;
/** Longest pause that the service may ask for: a timer of more than 24 days fires at once. */
const MAX_RETRY_AFTER_MS = 3_600_000;

export interface FeedOptions {
  client: Pick<ServiceClient, 'events'>;
  search: URLSearchParams;
  signal: AbortSignal;
  onConnected: () => void;
  /** Called with the reason, and again only for another reason. Connecting is retried until it succeeds. */
  onLost: (reason: string) => void;
}

/**
 * An endless sequence of events, over any number of connections: each continues after the last event. Ends when
 * `signal` is aborted; throws a `CommandError` when a retry cannot help.
 */
export async function* eventFeed(options: FeedOptions): AsyncGenerator<StreamedEvent & { data: string }, void> {
  const { client, search, signal, onConnected, onLost } = options;
  let lastEventId: string | undefined;
  let failures = 0;
  let isDisconnected = true;
  let reportedReason: string | undefined;
  while (!signal.aborted) {
    try {
      const response = await client.events(search, lastEventId, signal);
      failures = 0;
      if (isDisconnected) onConnected();
      isDisconnected = false;
      reportedReason = undefined;
      for await (const event of serverSentEvents(chunksOf(response))) {
        lastEventId = event.lastEventId;
        const { data } = event;
        if (data !== null) yield { ...event, data };
      }
      // the service ends its streams periodically: the connection is not lost
      await interruptiblePause(FIRST_PAUSE_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof CommandError) throw error;
      failures += 1;
      isDisconnected = true;
      const reason = connectionReason(error);
      if (reason !== reportedReason) onLost(reason);
      // oxlint-disable-next-line no-useless-assignment -- the next failure reads it
      reportedReason = reason;
      await interruptiblePause(pauseAfter(failures, error), signal);
    }
  }
}

function pauseAfter(failures: number, error: unknown): number {
  const asked = error instanceof Refusal ? Math.min(error.retryAfterMs, MAX_RETRY_AFTER_MS) : 0;
  return Math.max(asked, Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS));
}

/** Reads the response. Throws when nothing arrives for too long. */
async function* chunksOf(response: Response): AsyncGenerator<Uint8Array, void> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { value, done } = await inTime(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function inTime<T>(reading: Promise<T>): Promise<T> {
  const controller = new AbortController();
  const silence = pause(READ_TIMEOUT_MS, undefined, { signal: controller.signal }).then(() => {
    throw new Error('the service sends nothing');
  });
  try {
    return await Promise.race([reading, silence]);
  } finally {
    silence.catch(() => undefined);
    controller.abort();
  }
}

/** Ends at once when `signal` is aborted. */
const interruptiblePause = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => undefined);
