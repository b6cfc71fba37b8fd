import { setTimeout as delay } from 'node:timers/promises';
import { restoreNightly } from './restore-nightly.js';
import { rotateKeys } from './rotate-keys.js';
import type { Step } from './step.js';

/** Payments between the backup and the loss, which are only in the log. */
const AFTER_BACKUP_MS = 5_000;

/** In the order of `STEP_KEYS`. */
export const STEPS: readonly Step[] = [
  {
    key: 'roll',
    title: 'every process is replaced',
    async run({ fleet }, say) {
      const from = Date.now();
      await fleet.roll();
      say(`${fleet.all.length} processes ended by SIGTERM and started again in ${seconds(Date.now() - from)}`);
    },
  },
  {
    key: 'redis',
    title: 'the Redis master is killed',
    run: ({ queue }, say) => queue.failOver(say),
  },
  {
    key: 'postgres',
    title: 'the PostgreSQL primary is killed, its standby promoted',
    fault: 'postgres-immediate',
    run: ({ databases }, say) => databases.failOver(say),
  },
  {
    key: 'pooler',
    title: 'the pooler is restarted',
    fault: 'cut-postgres',
    isPossible: ({ databases }) => databases.restartPooler !== undefined,
    run: async ({ databases }, say) => databases.restartPooler?.(say),
  },
  { key: 'keys', title: 'every key is rotated', run: rotateKeys },
  {
    key: 'restore',
    title: 'the cluster is lost and restored from its backup',
    fault: 'postgres-immediate',
    async run({ databases, backups }, say) {
      const from = Date.now();
      const backup = await backups.take(databases.url());
      say(`backup of ${(backup.bytes / 2 ** 20).toFixed(0)} MB taken in ${seconds(Date.now() - from)}, under traffic`);
      await delay(AFTER_BACKUP_MS);
      const lost = await databases.lose();
      say('the writable server is lost');
      const restoring = Date.now();
      await databases.replace(await backups.restore(backup, lost, 'last commit'));
      say(`backup and log restored into an empty cluster in ${seconds(Date.now() - restoring)}`);
    },
  },
  {
    key: 'nightly',
    title: 'the cluster is lost with its log, and only the backup restored',
    fault: 'postgres-immediate',
    run: restoreNightly,
  },
];

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
