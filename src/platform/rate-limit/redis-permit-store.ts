import type { RedisSettings } from '../config/redis-settings.js';
import { connectRedis, keyPrefix, type RedisClient } from '../redis/connect-redis.js';
import { PermitStore, type Spending } from './sync-loop.js';

const TIMEOUT_MS = 1_000;
/** Next to BullMQ's prefix `bull`. */
const PREFIX = 'rate-limit';
/** Version of the stored format. Processes of the previous version cannot read it, so they use other keys. */
const FORMAT = 2;

/**
 * A key stores when its bucket is full and when that was written, in µs, which doubles hold exactly. A full bucket has
 * no key; any other key expires when its bucket is full. A key from the future was written before the clock was set
 * back, and moves back with it.
 */
const SPEND = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local left = {}
for i, key in ipairs(KEYS) do
  local known, written_at = string.match(redis.call('GET', key) or '0 0', '(%d+) (%d+)')
  local full_at = math.max(known - math.max(written_at - now, 0), now) + tonumber(ARGV[i])
  left[i] = math.max(full_at - now, 0)
  if left[i] > 0 then
    redis.call('SET', key, string.format('%.0f %.0f', full_at, now), 'PX', math.ceil(left[i] / 1000))
  else
    redis.call('DEL', key)
  end
end
return left
`;

type Spend = (keyCount: number, ...keysAndMicroseconds: (string | number)[]) => Promise<number[]>;

/**
 * Token buckets as keys that expire. A round of spending is one script and one round trip. In a cluster all keys have
 * one slot: a process sends ten rounds a second, which is little for one node.
 */
export class RedisPermitStore extends PermitStore {
  private readonly redis: RedisClient & { spendPermits: Spend };
  private readonly prefix: string;

  constructor(settings: RedisSettings) {
    super();
    this.prefix = `${keyPrefix(settings, PREFIX)}:${FORMAT}:`;
    const scripts = { spendPermits: { lua: SPEND } };
    const redis = connectRedis(settings, { patience: 'fail', commandTimeout: TIMEOUT_MS, scripts });
    // it reconnects by itself, and calls that fail meanwhile reject
    redis.on('error', () => undefined);
    this.redis = redis as RedisClient & { spendPermits: Spend };
  }

  async spend(spendings: Spending[]): Promise<number[]> {
    const keys = spendings.map(({ key }) => this.prefix + key);
    const microseconds = spendings.map(({ ms }) => Math.round(ms * 1_000));
    const left = await this.redis.spendPermits(keys.length, ...keys, ...microseconds);
    return left.map((each) => each / 1_000);
  }

  close(): Promise<void> {
    this.redis.disconnect();
    return Promise.resolve();
  }
}
