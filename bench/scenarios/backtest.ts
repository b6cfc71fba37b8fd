import { setTimeout as delay } from 'node:timers/promises';
import { callApi, createFlow } from '../support/api-fixtures.js';
import type { Context, Scenario } from '../support/context.js';
import { cpuSeconds, cpuSecondsOfFamily, residentMemory, withCpu } from '../support/cpu.js';
import { accessToken } from '../support/product.js';
import { type Past, seedDecidedPayments } from '../support/seed-payments.js';
import { percentile } from '../support/statistics.js';

const SHOPS = 20;
const PROBE_EVERY_MS = 10;
const MB = 2 ** 20;
/** It "ends within a few seconds and holds no more than 200 MB". */
const SECONDS = { atMost: 5 };
const MEMORY = { atMost: 200 };

interface Figures {
  seconds: number;
  /** How far the memory of the whole process rose above where it was before the first backtest, in MB. */
  megabytes: number;
  /** CPU time of the service and of PostgreSQL. */
  serviceCpu: number;
  postgresCpu: number;
  /** Of other requests meanwhile, in ms. */
  p50: number;
  p99: number;
}

export const backtest: Scenario = {
  about: 'past payments run through a draft: time, memory, and what other requests feel of it',
  async run(context) {
    const payments = context.args.quick ? 10_000 : 100_000;
    const database = await context.database();
    const api = await context.product.start('api', { databaseUrl: database.url, redisUrl: context.redisUrl() });
    const token = await accessToken(api.url);
    await createFlow(api.url, token, SHOPS);
    const past = await seedDecidedPayments(database, payments);
    const cpuSources = {
      service: () => cpuSeconds(api.pid),
      postgres: () => cpuSecondsOfFamily(context.servers.postgres.pid),
    };
    const idle = residentMemory(api.pid).now;
    for (const [name, definition] of Object.entries(drafts(past))) {
      const figures: Figures[] = [];
      for (let round = 0; round < context.args.rounds; round++) {
        const path = `/flows/${past.flowId}/replay`;
        const { result, cpu } = await withCpu(cpuSources, () =>
          whileProbing(api.url, callApi<{ payments: number }>(api.url, token, 'POST', path, { definition })),
        );
        const { answer, seconds, latencies } = result;
        if (answer.payments !== payments) throw new Error(`${answer.payments} of ${payments} went through it`);
        figures.push({
          seconds,
          megabytes: (residentMemory(api.pid).peak - idle) / MB,
          serviceCpu: cpu.service!,
          postgresCpu: cpu.postgres!,
          p50: percentile(latencies, 0.5),
          p99: percentile(latencies, 0.99),
        });
      }
      report(context, `backtest: ${payments.toLocaleString('en-US')} payments, ${SHOPS} shops, ${name}`, name, figures);
    }
  },
};

const member = (shop_id: number, index: number) => ({ shop_id, weight: 1 + (index % 3) });

function drafts({ shopIds }: Past): Record<string, object> {
  const [first, ...others] = shopIds as [number, ...number[]];
  const rules = [{ when: { 'metadata.tier': { equals: 'gold' } }, use: { shops: [first], strategy: 'round_robin' } }];
  const otherwise = { shops: others, strategy: 'sticky' };
  return {
    weighted: { strategy: 'weighted', shops: shopIds.map(member) },
    rules: { strategy: 'rules', shops: shopIds.map(member), rules, default: otherwise },
  };
}

async function whileProbing<T>(
  apiUrl: string,
  work: Promise<T>,
): Promise<{ answer: T; seconds: number; latencies: number[] }> {
  const started = performance.now();
  let seconds: number | undefined;
  const timed = work.finally(() => (seconds = (performance.now() - started) / 1_000));
  const latencies: number[] = [];
  while (seconds === undefined) {
    const sent = performance.now();
    await fetch(`${apiUrl}/health/live`).then((response) => response.arrayBuffer());
    latencies.push(performance.now() - sent);
    await delay(PROBE_EVERY_MS);
  }
  return { answer: await timed, seconds, latencies };
}

function report(context: Context, title: string, name: string, figures: Figures[]): void {
  const samples = (key: keyof Figures): number[] => figures.map((figure) => figure[key]);
  context.report.add(title, [
    { label: 'seconds', samples: samples('seconds'), key: `backtest.${name}.seconds`, bar: SECONDS },
    { label: 'memory above idle, MB', samples: samples('megabytes'), key: `backtest.${name}.megabytes`, bar: MEMORY },
    { label: 'CPU seconds of the service', samples: samples('serviceCpu') },
    { label: 'CPU seconds of PostgreSQL', samples: samples('postgresCpu') },
    { label: 'other requests meanwhile, ms: p50', samples: samples('p50') },
    { label: 'other requests meanwhile, ms: p99', samples: samples('p99') },
  ]);
}
