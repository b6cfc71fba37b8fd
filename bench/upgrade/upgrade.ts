import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ApiClient } from '../chaos/client.js';
import { Violations } from '../../test/support/ledger/violations.js';
import { ChaosPostgres } from '../chaos/postgres.js';
import type { ReceiversMethods } from '../chaos/processes/receivers.js';
import type { Cleanup } from '../support/cleanup.js';
import { stablePort } from '../support/ports.js';
import { PROJECT } from '../support/programs.js';
import { Product, productSettings } from '../support/product.js';
import type { ProductProcess } from '../support/product-process.js';
import { RedisServer } from '../support/redis-server.js';
import { Remote } from '../support/remote.js';
import { Supervisor } from '../support/supervisor.js';
import { check } from './checks.js';
import type { UpgradeHarness } from './harness.js';
import { Traffic } from './traffic.js';

const run = promisify(execFile);

export interface UpgradeArguments {
  /** The old commit. */
  from: string;
  /** An existing build of it. */
  oldDist: string | undefined;
  /** The file for the fixture of the tests; absent: runs the upgrade. */
  fixture: string | undefined;
  /** The new build. */
  dist: string;
  backend: 'redis' | 'postgres';
  /** New payments per second. */
  rate: number;
  /** Duration of each stage. */
  stageMs: number;
  seed: number;
}

const RECEIVERS = 4;
const DRAIN_MS = 60_000;
const POLL_MS = 200;
const BUILD_TIMEOUT_MS = 5 * 60_000;
/** `tok_timeout` takes as long; unknown outcomes are found out within the run. */
const PRODUCT = {
  PROVIDER_TIMEOUT_MS: '1000',
  PROVIDER_RECOVERY_DELAYS_MS: '500,1000,2000',
  WEBHOOK_RETRY_DELAYS_MS: '1000,2000,4000',
};

/** Upgrades from the old version to the new one during traffic. Resolves to the violations. */
export async function upgrade(args: UpgradeArguments, cleanup: Cleanup): Promise<Violations> {
  const upgradeRun = await UpgradeRun.prepare(args, cleanup);
  await upgradeRun.run();
  const violations = new Violations();
  if (!(await upgradeRun.drain())) violations.add('does not drain', `within ${DRAIN_MS} ms`);
  await check(upgradeRun.harness, violations);
  return violations;
}

class UpgradeRun {
  private constructor(
    private readonly args: UpgradeArguments,
    private readonly cleanup: Cleanup,
    private readonly oldProduct: Product,
    private readonly newProduct: Product,
    private readonly options: { databaseUrl: string; redisUrl: string | undefined; env: Record<string, string> },
    readonly harness: UpgradeHarness,
  ) {}

  static async prepare(args: UpgradeArguments, cleanup: Cleanup): Promise<UpgradeRun> {
    const folder = await cleanup.folder('upgrade');
    const supervisor = new Supervisor(cleanup);
    const oldDist = args.oldDist ?? (await say(`build ${args.from}`, () => buildOldVersion(args.from, folder)));
    const [postgres, redis, receivers] = await Promise.all([
      ChaosPostgres.start(folder, cleanup),
      args.backend === 'redis' ? RedisServer.start(supervisor, folder) : undefined,
      Remote.start<ReceiversMethods>(supervisor, 'chaos/processes/receivers'),
    ]);
    const ports: number[] = [];
    while (ports.length < RECEIVERS) ports.push(await stablePort());
    await receivers.call('open', ports);
    // the last two refuse one of fifteen requests, so that there are always retries
    await receivers.call('behave', [RECEIVERS - 2, RECEIVERS - 1], 'good');
    const endpoints = ports.map((port) => `http://127.0.0.1:${port}/webhooks`);
    const traffic = new Traffic(args.seed, endpoints, (id, secret) => receivers.call('trust', id, secret));
    const options = { databaseUrl: postgres.url(), redisUrl: redis?.url, env: PRODUCT };
    const product = (dist: string, name: string) => new Product(supervisor, { dist, logLevel: 'warn' }, folder, name);
    const products = [product(oldDist, 'old-'), product(args.dist, 'new-')] as const;
    await products[0].cli(productSettings(options), 'migrate');
    return new UpgradeRun(args, cleanup, ...products, options, {
      postgres,
      receivers,
      traffic,
      clients: [],
    });
  }

  async run(): Promise<void> {
    const { traffic } = this.harness;
    const oldWorker = await this.oldProduct.start('worker', this.options);
    const [oldApi, oldClient] = await this.startApi(this.oldProduct);
    traffic.routeTo(oldClient);
    await traffic.prepare();
    traffic.start(this.args.rate);
    await this.stage('only the old version');
    const lines = await this.stage('migrate, while it serves', () =>
      this.newProduct.cli(productSettings(this.options), 'migrate'),
    );
    console.log(lines.trimEnd().replaceAll(/^/gm, '    '));
    await this.stage('the old version on the new schema');
    await this.stage(
      'a new worker next to the old one',
      async () => void (await this.newProduct.start('worker', this.options)),
    );
    const newClient = await this.stage('a new API process next to the old one', async () => {
      const [, client] = await this.startApi(this.newProduct);
      traffic.routeTo(oldClient, client);
      return client;
    });
    traffic.routeTo(newClient);
    await this.stage('the old processes end', async () => {
      await oldApi.stop();
      await oldWorker.stop();
    });
    await this.stage('only the new version');
    await traffic.stop();
  }

  /** Ends all open payments and deliveries; returns whether it succeeded. */
  async drain(): Promise<boolean> {
    const { postgres } = this.harness;
    // payments that timed out get no answer any longer: they expire
    await postgres.query(`UPDATE payments SET expires_at = now() WHERE status IN ('pending', 'processing')`);
    for (const deadline = Date.now() + DRAIN_MS; Date.now() < deadline; await delay(POLL_MS)) {
      const [row] = await postgres.query<{ open: boolean }>(
        `SELECT EXISTS (SELECT FROM pending_deliveries)
          OR EXISTS (SELECT FROM payments WHERE status IN ('pending', 'processing')) AS open`,
      );
      if (!row!.open) return true;
    }
    return false;
  }

  private async startApi(product: Product): Promise<[ProductProcess, ApiClient]> {
    const api = await product.start('api', this.options);
    const client = new ApiClient(api.url);
    this.cleanup.add(() => client.close());
    await client.login();
    this.harness.clients.push(client);
    return [api, client];
  }

  /** Runs `work`, and traffic for a while after it; prints the longest creation meanwhile. */
  private async stage<T = void>(name: string, work?: () => Promise<T>): Promise<T> {
    const from = Date.now();
    const result = work && (await say(name, work));
    if (!work) console.log(name);
    await delay(this.args.stageMs);
    const { traffic } = this.harness;
    const longest = traffic.longestMs(from, Date.now());
    console.log(
      `    ${traffic.promised.length} payments so far; the longest creation of this stage took ${longest} ms`,
    );
    return result as T;
  }
}

async function say<T>(name: string, work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  const result = await work();
  console.log(`${name}: ${((performance.now() - from) / 1_000).toFixed(1)} s`);
  return result;
}

/**
 * Builds a commit of this repository in `folder` and returns its `dist`. It uses the commit's own packages, and otherwise
 * those that are installed here, so it only compiles if the old version needs no other versions of them.
 */
async function buildOldVersion(commit: string, folder: string): Promise<string> {
  const archive = join(folder, 'source.tar');
  const source = join(folder, 'source');
  await mkdir(source, { recursive: true });
  await run('git', ['archive', '--output', archive, commit], { cwd: PROJECT });
  await run('tar', ['-x', '-f', archive, '-C', source]);
  await linkPackages(source);
  const nest = join(PROJECT, 'node_modules/@nestjs/cli/bin/nest.js');
  await run(process.execPath, [nest, 'build'], { cwd: source, timeout: BUILD_TIMEOUT_MS });
  return join(source, 'dist');
}

const OWN = '@payment-orchestrator';

/** Installs the packages of this checkout in `source`, and builds those that belong to its own repository. */
async function linkPackages(source: string): Promise<void> {
  const [here, there] = [join(PROJECT, 'node_modules'), join(source, 'node_modules')];
  await mkdir(join(there, OWN), { recursive: true });
  for (const name of await readdir(here)) if (name !== OWN) await symlink(join(here, name), join(there, name));
  const built: string[] = [];
  for (const name of await readdir(join(source, 'packages'))) {
    const folder = join(source, 'packages', name);
    await symlink(folder, join(there, OWN, name));
    if (existsSync(join(folder, 'tsconfig.json'))) built.push(folder);
  }
  const tsc = join(here, 'typescript/bin/tsc');
  await run(process.execPath, [tsc, '-b', ...built], { cwd: source, timeout: BUILD_TIMEOUT_MS });
}
