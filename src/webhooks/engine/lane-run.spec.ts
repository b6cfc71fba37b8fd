import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import type { ClaimedDelivery } from './delivery-claims.js';
import { LaneRun } from './lane-run.js';
import { LaneWindow } from './lane-window.js';

const answered = (fields: Partial<OutboundResult> = {}): OutboundResult => ({
  statusCode: 200,
  error: null,
  startedAt: new Date(),
  durationMs: 5,
  retryAfter: null,
  responseBody: Buffer.alloc(0),
  ...fields,
});

const aClaim = (id: number, fields: Partial<ClaimedDelivery> = {}): ClaimedDelivery => ({
  id,
  shop_id: 1,
  lane_id: 1,
  payment_id: id,
  webhook_endpoint: 'http://example.com/',
  request_body: '{}',
  due_at: 1_700_000_000,
  lease: '2023-11-14 22:13:25+00',
  attempts: 0,
  attempts_in_run: 0,
  blocks_later: false,
  secrets: { current: 'secret', previous: null },
  ...fields,
});

/** A lane with `backlog`, on which one delivery takes `postMs`. */
function aLane(
  backlog: ClaimedDelivery[],
  post: (id: number) => Promise<OutboundResult> = () => Promise.resolve(answered()),
  share = Infinity,
) {
  const window = new LaneWindow();
  const recorded: number[] = [];
  let [claims, inFlight, maxInFlight] = [0, 0, 0];
  const run = new LaneRun(
    1,
    window,
    {
      claim: (_, quota) => {
        claims += 1;
        return Promise.resolve(backlog.splice(0, quota));
      },
    },
    {
      send: async ({ id }) => {
        maxInFlight = Math.max(maxInFlight, ++inFlight);
        try {
          return { result: await post(Number(id)), signature: '' };
        } finally {
          inFlight -= 1;
        }
      },
    },
    { record: ({ id }) => Promise.resolve(void recorded.push(id)) },
    () => share,
  );
  return { run, window, recorded, claims: () => claims, maxInFlight: () => maxInFlight };
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('LaneRun', () => {
  it('ends after one claim that came back short', async () => {
    const lane = aLane([aClaim(1)]);
    expect(await lane.run.run()).toBe(false);
    expect([lane.recorded, lane.claims()]).toEqual([[1], 1]);
  });

  it('looks once more when it held up a later change of the same payment', async () => {
    const lane = aLane([aClaim(1, { blocks_later: true })]);
    expect(await lane.run.run()).toBe(false);
    expect(lane.claims()).toBe(2);
  });

  it('drains a backlog with never more in flight than the window', async () => {
    const lane = aLane(
      ids(100).map((id) => aClaim(id)),
      () => delay(2, answered({ durationMs: 2_900 })),
    );
    expect(await lane.run.run()).toBe(false);
    expect(lane.recorded).toHaveLength(100);
    expect(lane.maxInFlight()).toBeLessThanOrEqual(32);
    expect(lane.maxInFlight()).toBeGreaterThan(8);
  });

  it('keeps to its share where that is less than its window', async () => {
    const lane = aLane(
      ids(100).map((id) => aClaim(id)),
      () => delay(2, answered({ durationMs: 2 })),
      10,
    );
    expect(await lane.run.run()).toBe(false);
    expect([lane.recorded.length, lane.maxInFlight()]).toEqual([100, 10]);
  });

  it('records no attempt where nothing was sent', async () => {
    const lane = aLane([aClaim(1), aClaim(2)], (id) =>
      Promise.resolve(id === 1 ? answered({ statusCode: null, error: 'shutting_down' }) : answered()),
    );
    await lane.run.run();
    expect(lane.recorded).toEqual([2]);
  });

  it('rejects for a fault of our own, once everything in flight has ended', async () => {
    const lane = aLane([aClaim(1, { secrets: undefined }), aClaim(2)], () => delay(20, answered()));
    await expect(lane.run.run()).rejects.toThrow('no webhook secret of shop 1');
    expect(lane.recorded).toEqual([2]);
  });

  it('gives way when its time slice is over, and says that there is more', async () => {
    const lane = aLane(
      ids(10_000).map((id) => aClaim(id)),
      () => delay(20, answered({ durationMs: 2_900 })),
    );
    expect(await lane.run.run()).toBe(true);
    expect(lane.recorded.length).toBeGreaterThan(100);
    expect(lane.recorded.length).toBeLessThan(10_000);
  });

  it('claims nothing more once stopped, and finishes what is in flight', async () => {
    const lane = aLane(
      ids(100).map((id) => aClaim(id)),
      () => delay(20, answered()),
    );
    const result = lane.run.run();
    await delay(5);
    lane.run.stop();
    expect(await result).toBe(true);
    expect(lane.recorded).toHaveLength(8);
  });

  it('looks for what has become due while a slow endpoint keeps it waiting', async () => {
    const backlog = [aClaim(1)];
    const lane = aLane(backlog, (id) => delay(id === 1 ? 400 : 0, answered()));
    const result = lane.run.run();
    await delay(20);
    backlog.push(aClaim(2));
    expect(await result).toBe(false);
    expect(lane.recorded).toEqual([2, 1]);
  });
});
