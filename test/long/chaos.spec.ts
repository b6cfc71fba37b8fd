import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '../../src/schema/upgrade/migrate.js';
import { startEmbeddedPostgres } from '../../packages/embedded-postgres/src/index.js';
import { migrateQueue } from '../../src/platform/queue/queue-migration.js';
import { builtFile } from '../support/app/service.js';
import { compileInto } from '../support/servers/compile-sources.mjs';
import { forgetProcess, rememberProcess, temporaryFolder } from '../support/servers/servers.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A run ends by itself, at most six minutes after its faults. */
const RUN_TIMEOUT_MS = 600_000;

interface Outcome {
  exitCode: number | null;
  output: string;
  summary: { ok?: boolean } & Record<string, Record<string, unknown>>;
}

/** The short form of `npm run chaos`: the same harness and the same checks, with short faults and short pauses. */
describe('the service under chaos', () => {
  let folder: string;
  /** The data folder of a migrated cluster. Each run copies it. */
  let cluster: string;

  beforeAll(async () => {
    // compiled here because dist-bench may be missing or old
    folder = await temporaryFolder();
    compileInto(join(folder, 'bench'), 'bench', ['chaos', 'rehearsal', 'support']);
    compileInto(join(folder, 'src'), 'src', ['.']);
    compileInto(join(folder, 'packages/embedded-postgres/src'), 'packages/embedded-postgres/src', ['.']);
    compileInto(join(folder, 'test'), 'test', ['support']);
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    cluster = await temporaryFolder();
    const postgres = await startEmbeddedPostgres({ dataDir: cluster, flags: ['-c', 'fsync=off'] });
    await migrate(postgres.url);
    await migrateQueue(postgres.url);
    await postgres.stop();
  });

  it.concurrent.each([
    ['redis', 'kill-worker,queue-wipe,postgres-immediate,storm,provider', 4],
    ['postgres', 'kill-workers,cut-postgres,queue-wipe,receivers,notifications', 66],
  ] as const)(
    'loses nothing, with the queue in %s',
    async (backend, kinds, seed) => {
      const { exitCode, output, summary } = await run(folder, 'chaos/run.js', [
        ...SHORT,
        `--backend=${backend}`,
        `--kinds=${kinds}`,
        `--seed=${seed}`,
        `--cluster=${cluster}`,
      ]);
      expect({ exitCode, output: exitCode === 0 ? '' : output }).toEqual({ exitCode: 0, output: '' });
      expect(summary[backend]).toMatchObject({ disagreements: 0, violations: {} });
      // one fault of each kind
      expect(summary[backend]!['faults']).toBe(5);
      expect(summary[backend]!['deliveries']).toBeGreaterThan(100);
      for (const made of ['captures', 'refunds', 'disputes']) expect(summary[backend]![made]).toBeGreaterThan(0);
    },
    RUN_TIMEOUT_MS,
  );

  it.concurrent(
    'loses nothing in a rehearsal',
    async () => {
      const args = [
        '--infrastructure=single',
        '--steps=redis,restore',
        '--apis=2',
        '--workers=1',
        '--rate=4',
        '--rest=2',
        `--cluster=${cluster}`,
      ];
      const { exitCode, output, summary } = await run(folder, 'rehearsal/run.js', [...args, '--seed=6']);
      expect({ exitCode, output: exitCode === 0 ? '' : output }).toEqual({ exitCode: 0, output: '' });
      expect(summary).toMatchObject({ ok: true, disagreements: 0, violations: {} });
      expect(summary['steps']).toMatchObject([{ step: 'redis' }, { step: 'restore' }]);
    },
    RUN_TIMEOUT_MS,
  );
});

const SHORT = ['--seconds=9.5', '--rest=2', '--max-fault=1.5', '--rate=10', '--delays=300,600,1200'];

/** `folder` holds the compiled programs and the data of the servers that they start. */
async function run(folder: string, program: string, args: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [join(folder, 'bench', program), `--dist=${builtFile()}`, '--json', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: folder },
  });
  rememberProcess(child.pid);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  await once(child, 'close');
  forgetProcess(child.pid);
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  return {
    exitCode: child.exitCode,
    output,
    summary: JSON.parse(last.startsWith('{') ? last : '{}') as Outcome['summary'],
  };
}
