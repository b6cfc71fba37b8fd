import type { QueueKind } from '../harness/payment-services.js';
import type { Context, Receiver, Scenario } from '../harness/context.js';
import { type Contestant, startCeiling, startProduct, startTextbook } from '../harness/contestants.js';
import { drainOnce, type DrainFigures } from '../harness/drain.js';
import type { Bar, Comparison } from '../support/report.js';
import { emptyDeliveries, seedLanes, type SeededLanes } from '../support/seed.js';
import { interleave } from '../support/statistics.js';

type Name = 'product' | 'ceiling' | 'textbook';

const MANY_LANES = 5_000;
/** Rounds that are not counted: a program of several hundred functions is still being compiled in its first 50,000 deliveries. */
const WARM_UPS = 2;
/** By lanes. */
const OF_CEILING: Record<QueueKind, Record<number, Bar>> = {
  redis: { 1: { atLeast: 0.75 }, 50: { atLeast: 0.85 }, [MANY_LANES]: { atLeast: 0.5 } },
  postgres: { 1: { atLeast: 0.75 }, 50: { atLeast: 0.8 }, [MANY_LANES]: { atLeast: 0.45 } },
};
const OF_TEXTBOOK: Bar = { atLeast: 4 };

interface Layout {
  lanes: number;
  count: number;
  /** Of the textbook design, which is slower; 0: it does not take part. */
  textbookCount: number;
}

const layouts = (quick: boolean): Layout[] => [
  { lanes: 1, count: quick ? 5_000 : 25_000, textbookCount: quick ? 1_000 : 5_000 },
  { lanes: 50, count: quick ? 5_000 : 25_000, textbookCount: quick ? 1_000 : 5_000 },
  { lanes: MANY_LANES, count: MANY_LANES, textbookCount: 0 },
];

export const drain: Scenario = {
  about: 'pending deliveries over 1, 50 and 5,000 lanes, delivered and recorded',
  async run(context) {
    const receiver = await context.receiver();
    const endpoint = `http://127.0.0.1:${await receiver.call('listen', { kind: 'ok' })}/webhooks`;
    const { only = '', quick } = context.args;
    for (const kind of ['redis', 'postgres'] as const) {
      const asked = layouts(quick).filter((layout) => titleOf(kind, layout).includes(only));
      if (asked.length > 0) await measureKind(context, receiver, endpoint, kind, asked);
    }
    await receiver.stop();
  },
};

const titleOf = (kind: QueueKind, { lanes, count }: Layout): string =>
  `drain, ${kind} queue, ${lanes} lane${lanes > 1 ? 's' : ''}, ${count.toLocaleString('en-US')} deliveries of 1.2 KB`;

async function measureKind(
  context: Context,
  receiver: Receiver,
  endpoint: string,
  kind: QueueKind,
  asked: Layout[],
): Promise<void> {
  context.say(`drain on the ${kind} queue`);
  const contestants: Record<Name, Contestant> = {
    product: await startProduct(context, kind),
    ceiling: await startCeiling(context),
    textbook: await startTextbook(context, kind),
  };
  for (const layout of asked) {
    const results = await measureLayout(context, receiver, endpoint, contestants, layout);
    context.report.add(titleOf(kind, layout), rows(kind, layout, results));
  }
  for (const contestant of Object.values(contestants)) await contestant.stop();
}

async function measureLayout(
  context: Context,
  receiver: Receiver,
  endpoint: string,
  contestants: Record<Name, Contestant>,
  layout: Layout,
): Promise<Record<Name, DrainFigures[]>> {
  const seeded = new Map<Name, SeededLanes>();
  const run = (name: Name, count: number) => async (): Promise<DrainFigures> => {
    const contestant = contestants[name];
    const lanes = seeded.get(name) ?? (await prepare(contestant, layout, endpoint));
    seeded.set(name, lanes);
    return drainOnce({ context, receiver, contestant, lanes, count });
  };
  const variants: Partial<Record<Name, () => Promise<DrainFigures>>> = {
    product: run('product', layout.count),
    ceiling: run('ceiling', layout.count),
    ...(layout.textbookCount > 0 && { textbook: run('textbook', layout.textbookCount) }),
  };
  const results = await interleave(context.args.rounds, variants, WARM_UPS);
  return { ...results, textbook: results.textbook ?? [] };
}

/** The round that warms up delivers into empty tables; those that count find what it has left. */
async function prepare({ database }: Contestant, layout: Layout, endpoint: string): Promise<SeededLanes> {
  await emptyDeliveries(database);
  return seedLanes(database, Array<string>(layout.lanes).fill(endpoint));
}

function rows(kind: QueueKind, layout: Layout, results: Record<Name, DrainFigures[]>): Comparison[] {
  const { product, ceiling, textbook } = results;
  const key = `drain.${kind}.${layout.lanes}_lane${layout.lanes > 1 ? 's' : ''}`;
  const rates = (figures: DrainFigures[]): number[] => figures.map((figure) => figure.rate);
  const label = 'deliveries per second';
  return [
    {
      label,
      samples: rates(product),
      baseline: { name: 'claim, post, record', samples: rates(ceiling) },
      key: `${key}.of_ceiling`,
      bar: OF_CEILING[kind][layout.lanes]!,
    },
    ...(textbook.length === 0
      ? []
      : [
          {
            label,
            samples: rates(product),
            baseline: { name: 'a job per delivery', samples: rates(textbook) },
            ...(kind === 'redis' && { key: `${key}.of_textbook`, bar: OF_TEXTBOOK }),
          },
        ]),
    ...(['sender', 'postgres', 'receiver'] as const).map((part) => ({
      label: `CPU µs per delivery: ${part}`,
      samples: product.map(({ cpu }) => cpu[part]),
      baseline: { name: 'claim, post, record', samples: ceiling.map(({ cpu }) => cpu[part]) },
    })),
    ...(kind === 'redis'
      ? [{ label: 'CPU µs per delivery: redis', samples: product.map(({ cpu }) => cpu.redis) }]
      : []),
    { label: 'duplicates', samples: product.map(({ duplicates }) => duplicates) },
  ];
}
