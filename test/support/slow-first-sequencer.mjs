import TestSequencer from '@jest/test-sequencer';

/** Test files that take longest, the longest first. If one of them starts late, the other workers have no work at the end. */
const SLOW = [
  // files of test:long
  'long/kill-money',
  'long/kill-api',
  'long/failover-crash',
  'long/embedded-postgres',
  'long/chaos',
  'long/rendered-chart',
  // files of npm test
  'providers/conformance',
  'http/every-operation',
  'e2e/tracing',
  'observability/alerts',
  'e2e/console/changes',
  'e2e/receiver-snippets',
  'e2e/connector.spec',
  'e2e/console/pages',
  'e2e/queue-outage',
  'erasure/erasure',
  'webhooks/recovery-redelivery',
  'webhooks/receiver-auth',
  'security/fuzz',
  'e2e/delivery',
  'e2e/redaction',
  'money/exploration',
  'webhooks/redelivery',
  'e2e/start',
  'e2e/trial',
  'e2e/checkout',
  'payments/failover',
  'cli/secrets-reencrypt',
  'webhooks/plans',
  'platform/migrations',
  'observability/rules',
  'http/health',
  'e2e/restore',
  'cli/flows-as-code',
  'cli/cli.spec',
  'e2e/upgrade',
  'retention/retention',
  'webhooks/recovery.spec',
  'payments/disputes',
  'e2e/pgbouncer',
  'e2e/worst-bodies',
  'e2e/connections',
  'payments/isolation',
  'webhooks/model',
  'e2e/served-packages',
  'money/seeded-mistakes',
];

/** The place of a file in the list; of the others, after it. */
const placeOf = ({ path }) => {
  const place = SLOW.findIndex((name) => path.includes(name));
  return place === -1 ? SLOW.length : place;
};

/** The order of the list, then Jest's own: by the time of the last run, or else by size of file. */
export default class SlowFirstSequencer extends TestSequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => placeOf(one) - placeOf(other));
  }
}
