import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { orderedUuid, SystemRandom } from './random.js';

describe('orderedUuid', () => {
  // the first is the example of RFC 9562, A.6
  it.each([
    [0x017f22e279b0, '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'],
    [0, '00000000-0000-7cc3-98c4-dc0c0c07398f'],
  ])('orderedUuid has the time %d, the version, and the random bits of the other', (ms, uuid) => {
    expect(orderedUuid(ms, '919108f7-52d1-4cc3-98c4-dc0c0c07398f')).toBe(uuid);
  });

  it('orderedUuid sorts by time as text', () => {
    const times = [1, 255, 65_536, 1_764_000_000_000, 2 ** 48 - 1];
    const uuids = times.map((ms) => orderedUuid(ms, randomUUID()));
    expect(uuids.toSorted()).toEqual(uuids);
  });
});

it('SystemRandom makes ordered UUIDs of now, each once', () => {
  const random = new SystemRandom();
  const before = orderedUuid(Date.now(), '00000000-0000-4000-8000-000000000000');
  const uuids = Array.from({ length: 10_000 }, () => random.orderedUuid());
  expect(new Set(uuids).size).toBe(uuids.length);
  const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(uuids.filter((uuid) => !pattern.test(uuid) || uuid < before)).toEqual([]);
});
