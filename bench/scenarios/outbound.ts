import { resolve } from 'node:path';
import type { PosterOffer, PostLoad, PostRate } from '../processes/poster.js';
import type { Context, Scenario } from '../support/context.js';
import { Remote } from '../support/remote.js';
import type { Comparison } from '../support/report.js';
import { interleave } from '../support/statistics.js';

const CASES = [
  { inFlight: 32, origins: 1 },
  { inFlight: 128, origins: 1 },
  { inFlight: 32, origins: 50 },
  { inFlight: 128, origins: 50 },
];

export const outbound: Scenario = {
  about: "posts per second and CPU time of the outbound client, beside undici's pool alone",
  async run(context) {
    const receiver = await context.receiver();
    const port = await receiver.call('listen', { kind: 'ok' });
    const rows: Comparison[] = [];
    for (const { inFlight, origins } of CASES) {
      const urls = Array.from({ length: origins }, (_, index) => `http://127.0.0.${index + 1}:${port}/hook`);
      const load: PostLoad = { urls, inFlight, posts: context.args.quick ? 10_000 : 40_000 };
      const rates = await measure(context, load, () => receiver.call('reset'));
      rows.push(...rowsOf(`${inFlight} in flight, ${origins === 1 ? 'one origin' : `${origins} origins`}`, rates));
    }
    await receiver.stop();
    context.report.add('outbound: posts of 1.2 KB over kept connections', rows);
  },
};

type Rates = Record<'outbound' | 'bare', PostRate[]>;

/** Both in one process each, fresh for each case. */
async function measure(context: Context, load: PostLoad, reset: () => Promise<void>): Promise<Rates> {
  const start = () => Remote.start<PosterOffer>(context.supervisor, 'processes/poster');
  const [ours, bare] = await Promise.all([start(), start()]);
  const rates = await interleave<keyof Rates, PostRate>(context.args.rounds, {
    outbound: () => reset().then(() => ours.call('outbound', resolve(context.args.dist), load)),
    bare: () => reset().then(() => bare.call('bare', load)),
  });
  await Promise.all([ours.stop(), bare.stop()]);
  return rates;
}

function rowsOf(what: string, { outbound: ours, bare }: Rates): Comparison[] {
  const row = (unit: string, figure: (rate: PostRate) => number): Comparison => ({
    label: `${what}: ${unit}`,
    samples: ours.map(figure),
    baseline: { name: "undici's pool", samples: bare.map(figure) },
  });
  return [row('posts/s', (rate) => rate.perSecond), row('µs of CPU a post', (rate) => rate.cpuMicroseconds)];
}
