import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OutboundResult } from '../../../src/platform/outbound/outbound-result.js';
import { eventually } from '../../support/eventually.js';
import { memoryInUse } from '../../support/memory-in-use.js';
import { outboundTo } from '../../support/hostile/hostile-outbound.js';
import {
  answerOk,
  misbehavingReceivers,
  startRawReceiver,
  type RawReceiver,
} from '../../support/hostile/hostile-receivers.js';

const TIMEOUT_MS = 500;
/** Waves of about 25 posts: a leak of a response of 64 KB would be visible. */
const WAVES = 4;
/** For posts that something other than their time-out must end. */
const LONG_MS = 50_000;

describe('OutboundHttp and misbehaving receivers', () => {
  const misbehaving = misbehavingReceivers();
  const receivers: RawReceiver[] = [];
  const outbound = outboundTo();
  let healthy: RawReceiver;

  const post = (receiver: RawReceiver, timeoutMs: number, by: typeof outbound): Promise<OutboundResult> =>
    by.post({ url: `http://127.0.0.1:${receiver.port}/hook`, body: '{"a":1}', headers: {}, timeoutMs });

  const timed = async (receiver: RawReceiver, timeoutMs: number) => {
    // a new client: a kept connection of another test would not respond early again
    const own = outboundTo();
    const startedMs = performance.now();
    const got = await post(receiver, timeoutMs, own);
    const tookMs = performance.now() - startedMs;
    own.onApplicationShutdown();
    return { got, tookMs };
  };
  const timing = new Map<number, ReturnType<typeof timed>>();

  beforeAll(async () => {
    healthy = await startRawReceiver(answerOk);
    for (const { behave, onConnect } of misbehaving) receivers.push(await startRawReceiver(behave, { onConnect }));
    // these end only by their time-out, concurrently
    for (const [index, { result }] of misbehaving.entries())
      if (result === 'timeout') timing.set(index, timed(receivers[index]!, TIMEOUT_MS));
  });

  afterAll(async () => {
    outbound.onApplicationShutdown();
    for (const receiver of [healthy, ...receivers]) await receiver.close();
  });

  it.each(misbehaving.map(({ name, result }, index) => ({ name, result, index })))(
    'reports one result for a receiver that $name: $result',
    async ({ index, result }) => {
      const { got, tookMs } = await (timing.get(index) ?? timed(receivers[index]!, LONG_MS));
      expect(got.error ?? got.statusCode).toBe(result);
      expect([got.statusCode === null, got.errorMessage === undefined]).toEqual([
        got.error !== null,
        got.error === null,
      ]);
      expect(got.responseBody.length).toBeLessThanOrEqual(64 * 1024);
      if (result === 'timeout') expect(tookMs).toBeGreaterThanOrEqual(TIMEOUT_MS);
    },
  );

  it('gives each receiver the full time: no post ends a fraction of a millisecond early', async () => {
    const hanging = await startRawReceiver(() => undefined);
    const own = outboundTo();
    const posts: Promise<OutboundResult>[] = [];
    for (let round = 0; round < 10; round++) {
      // one after the other, at all fractions of a millisecond; Node's timers start from the loop's time, which is
      // older
      for (let i = 0; i < 20; i++) {
        posts.push(post(hanging, 40, own));
        await new Promise(setImmediate);
      }
      await Promise.all(posts);
    }
    own.onApplicationShutdown();
    await hanging.close();
    const cut = (await Promise.all(posts)).map(({ error, durationMs }) => ({ error, early: durationMs < 40 }));
    expect(new Set(cut.map((each) => JSON.stringify(each)))).toEqual(new Set(['{"error":"timeout","early":false}']));
  });

  it('delivers posts to a healthy receiver while there are posts to all of them', async () => {
    const own = outboundTo();
    // unresponsive receivers stay so until the end
    const toAll = Promise.all([...receivers, ...receivers].map((receiver) => post(receiver, LONG_MS, own)));
    for (let posts = 0; posts < 10; posts++)
      expect(await post(healthy, LONG_MS, own)).toMatchObject({ statusCode: 200, error: null });
    own.onApplicationShutdown();
    expect((await toAll).some(({ error }) => error === 'shutting_down')).toBe(true);
  });

  it('keeps memory flat', async () => {
    const quick = receivers.filter((_, index) => misbehaving[index]!.result !== 'timeout');
    const waves = async (count: number) => {
      for (let i = 0; i < count; i += 1)
        await Promise.all(quick.map((receiver) => post(receiver, TIMEOUT_MS, outbound)));
    };
    await waves(2);
    const before = memoryInUse();
    await waves(WAVES);
    let grownMb = NaN;
    // connections close a little after they are destroyed
    await eventually(() => {
      grownMb = (memoryInUse() - before) / 1024 / 1024;
      expect(grownMb).toBeLessThan(15);
    });
    expect(outbound.kept.origins).toBeLessThanOrEqual(quick.length);
    process.stdout.write(
      `misbehaving receivers: ${misbehaving.length}, memory after ${WAVES * quick.length} posts ${grownMb.toFixed(1)} MB up\n`,
    );
  });
});
