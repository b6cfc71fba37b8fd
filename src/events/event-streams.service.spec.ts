import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { Metrics } from '../platform/observability/metrics.js';
import { FIRST } from './event-cursor.js';
import type { EventPage, EventPages } from './event-pages.service.js';
import { EventStreams } from './event-streams.service.js';

const READER = { merchantId: 1, clientId: 'reader', isStillAccepted: () => true };
const ALL = { types: undefined, shopId: undefined };

const anAnswer = (): ServerResponse => Object.assign(new EventEmitter(), { destroyed: false }) as never;

/** Endless pages, which are counted. */
function endlessly(): { streams: EventStreams; read: () => number } {
  let read = 0;
  const events = Array.from({ length: 50 }, () => ({ cursor: FIRST, type: 'delivery.failed' as const, json: '{}' }));
  const page = (): Promise<EventPage> => Promise.resolve({ events, next: FIRST, hasMore: ++read > 0 });
  const streams = new EventStreams({ page } as unknown as EventPages, new Metrics());
  return { streams, read: () => read };
}

describe('EventStreams', () => {
  it('reads a page only when the reader has read the one before', async () => {
    const { streams, read } = endlessly();
    const stream = streams.stream(READER, FIRST, ALL, anAnswer());
    for (let turns = 0; turns < 100; turns++) await turn();
    expect(read()).toBeLessThanOrEqual(1);
    let events = 0;
    for await (const chunk of stream) if (String(chunk).includes('event:') && ++events === 101) break;
    expect(read()).toBe(3);
  });

  it.each([
    ['is no longer accepted', () => Promise.resolve(false)],
    ['cannot be checked', () => Promise.reject(new Error('the database is down'))],
  ])('ends the stream of a reader whose token %s', async (_, isStillAccepted) => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance'] });
    try {
      const { streams } = endlessly();
      const stream = streams.stream({ ...READER, isStillAccepted }, FIRST, ALL, anAnswer());
      jest.advanceTimersByTime(10_000);
      for (let turns = 0; turns < 10; turns++) await turn();
      let frames = 0;
      for await (const _frame of stream) frames += 1;
      expect(frames).toBeLessThan(50);
    } finally {
      jest.useRealTimers();
    }
  });

  it('sends heartbeats with its position, but no event, while nothing happens', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    try {
      const page = (): Promise<EventPage> => Promise.resolve({ events: [], next: FIRST, hasMore: false });
      const streams = new EventStreams({ page } as unknown as EventPages, new Metrics());
      const frames: string[] = [];
      const stream = streams.stream(READER, FIRST, ALL, anAnswer());
      stream.on('data', (frame) => frames.push(String(frame)));
      const heartbeats: number[] = [];
      for (let second = 1; second <= 31; second++) {
        await jest.advanceTimersByTimeAsync(1_000);
        await turn();
        if (frames.length > 1 + heartbeats.length) heartbeats.push(second);
      }
      expect(heartbeats).toEqual([15, 30]);
      const position = frames[0]!.replace('retry: 1000\n', '');
      expect(frames.slice(1)).toEqual([`: heartbeat\n${position}`, `: heartbeat\n${position}`]);
      streams.onModuleDestroy();
    } finally {
      jest.useRealTimers();
    }
  });

  it('frees the place of a reader whose connection closed', async () => {
    const { streams } = endlessly();
    const answers = Array.from({ length: 5 }, anAnswer);
    const open = answers.map((answer) => streams.stream(READER, FIRST, ALL, answer));
    const another = () => streams.stream(READER, FIRST, ALL, anAnswer());
    expect(another).toThrow(expect.objectContaining({ code: 'too_many_requests' }));
    answers[0]!.emit('close');
    open[0]!.destroy();
    for (let turns = 0; turns < 10; turns++) await turn();
    expect(another).not.toThrow();
    streams.onModuleDestroy();
  });
});
