import TestSequencer from '@jest/test-sequencer';

/**
 * Test files that take half a minute or more. If one of them starts late, the other workers have no work at the end.
 */
const SLOW = [
  'kill-money',
  'kill-api',
  'e2e/delivery',
  'e2e/observability',
  'e2e/tracing',
  'e2e/console',
  'e2e/upgrade',
  'misbehaving-receivers',
  'every-operation',
  'payments/failover',
  'chaos.spec',
  'exploration',
  'failover-crash',
  'embedded-postgres',
  'webhooks/redelivery',
  'webhooks/recovery',
  'webhooks/delivery.spec',
  'erasure.spec',
];

const isSlow = ({ path }) => SLOW.some((name) => path.includes(name));

/**
 * Jest's own order, by the time of the last run or else by size of file, except that files known as slow come first.
 */
export default class SlowFirstSequencer extends TestSequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => Number(isSlow(other)) - Number(isSlow(one)));
  }
}
