import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Arrival, DeliveryPermits, type PermitLane } from './delivery-permits.js';
import { StartPace } from './start-pace.js';

describe('StartPace', () => {
  let permits: DeliveryPermits;
  let lastId = 0;

  beforeEach(() => {
    jest.useFakeTimers();
    permits = new DeliveryPermits(1_024, undefined, new StartPace());
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Lanes of merchants, with origins, of their own. */
  const lanes = (count: number, arrival: Arrival): PermitLane[] =>
    Array.from({ length: count }, () => {
      const id = ++lastId;
      return permits.lane({ id, shop_id: id, merchant_id: id, origin: `http://${id}` }, arrival);
    });

  function deal(asking: PermitLane[] = []): PermitLane[] {
    for (const lane of asking) permits.ask(lane, 1);
    return [...permits.deal().keys()];
  }

  it.each<Arrival>(['new', 'found', 'unanswered'])('spreads over time what begins at lanes that are %s', (arrival) => {
    expect(deal(lanes(200, arrival))).toHaveLength(32);
    expect(deal()).toEqual([]);
    expect(permits.isPaced).toBe(true);
    jest.advanceTimersByTime(20);
    expect(deal()).toHaveLength(5);
  });

  it('lets lanes that answer begin at once', () => {
    const answering = lanes(200, 'new');
    for (const lane of answering) permits.answered(lane, 5);
    deal(lanes(200, 'new'));
    expect(deal(answering)).toHaveLength(200);
  });

  it('lets as many more begin as have answered, or have found nothing to send', () => {
    const begun = deal(lanes(200, 'new'));
    for (const lane of begun.slice(0, 10)) permits.answered(lane, 5);
    expect(deal()).toHaveLength(10);
    permits.settle(begun[20]!, { count: 1, bytes: begun[20]!.bodyBytes }, []);
    expect(deal()).toHaveLength(1);
  });

  it('has no more at once after a rest', () => {
    jest.advanceTimersByTime(60_000);
    expect(deal(lanes(200, 'new'))).toHaveLength(32);
  });

  it('is not what lanes wait for when all permits of their kind are held', () => {
    const waiting = lanes(600, 'new');
    let begun = deal(waiting).length;
    for (let ms = 0; ms < 5_000; ms += 20) {
      jest.advanceTimersByTime(20);
      begun += deal().length;
    }
    expect([begun, permits.isPaced]).toEqual([512, false]);
  });
});
