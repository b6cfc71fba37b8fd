import TestSequencer from '@jest/test-sequencer';

/** Take half a minute or more. One of them that starts late leaves the other workers without work in the end. */
const SLOW = [
  'kill-money',
  'kill-api',
  'e2e/delivery',
  'e2e/observability',
  'e2e/tracing',
  'e2e/console',
  'e2e/upgrade',
  'misbehaving-receivers',
  'fuzz.spec',
  'worst-bodies',
  'payments/failover',
  'chaos.spec',
  'exploration',
  'failover-crash',
  'embedded-postgres',
  'tenancy',
  'webhooks/redelivery',
  'webhooks/recovery',
  'webhooks/delivery.spec',
  'erasure.spec',
];

const isSlow = ({ path }) => SLOW.some((name) => path.includes(name));

/** Jest's own order, by the time of the last run or else by size of file, but for what is known to be slow: that comes first. */
export default class SlowFirstSequencer extends TestSequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => Number(isSlow(other)) - Number(isSlow(one)));
  }
}
