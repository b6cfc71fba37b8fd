import type { QueueKind } from '../harness/payment-services.js';
import type { Context, Receiver, Scenario } from '../harness/context.js';
import { type SystemUnderTest, startUpperBound, startProduct, startReference } from '../harness/systems.js';
import { drainOnce, type DrainFigures } from '../harness/drain.js';
import type { Bar, Comparison } from '../support/report.js';
import { emptyDeliveries, seedLanes, seedStanding, type SeededLanes } from '../support/seed.js';
import { interleave } from '../support/statistics.js';

/** `standing`: the product, with a standing endpoint for each shop. */
type Name = 'product' | 'upperBound' | 'reference' | 'standing';

const MANY_LANES = 5_000;
/** Rounds that are not counted: V8 still compiles the several hundred functions during the first 50,000 deliveries. */
const WARM_UPS = 2;
/** By number of lanes. */
const OVER_UPPER_BOUND: Record<QueueKind, Record<number, Bar>> = {
  redis: { 1: { atLeast: 0.75 }, 50: { atLeast: 0.85 }, [MANY_LANES]: { atLeast: 0.5 } },
  postgres: { 1: { atLeast: 0.75 }, 50: { atLeast: 0.8 }, [MANY_LANES]: { atLeast: 0.45 } },
};
const OVER_REFERENCE: Bar = { atLeast: 4 };
/** A delivery to a standing endpoint costs at most 1.6 times as much as one to a payment's own address. */
const OVER_OWN_ADDRESS: Bar = { atLeast: 1 / 1.6 };

interface Layout {
  lanes: number;
  count: number;
  /** For the reference design, which is slower; 0: not measured. */
  referenceCount: number;
}

const layouts = (quick: boolean): Layout[] => [
  { lanes: 1, count: quick ? 5_000 : 25_000, referenceCount: quick ? 1_000 : 5_000 },
  { lanes: 50, count: quick ? 5_000 : 25_000, referenceCount: quick ? 1_000 : 5_000 },
  { lanes: MANY_LANES, count: MANY_LANES, referenceCount: 0 },
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
  const product = await startProduct(context, kind);
  const systems: Record<Name, SystemUnderTest> = {
    product,
    standing: product,
    upperBound: await startUpperBound(context),
    reference: await startReference(context, kind),
  };
  for (const layout of asked) {
    const results = await measureLayout(context, receiver, endpoint, systems, layout);
    context.report.add(titleOf(kind, layout), rows(kind, layout, results));
  }
  for (const system of new Set(Object.values(systems))) await system.stop();
}

async function measureLayout(
  context: Context,
  receiver: Receiver,
  endpoint: string,
  systems: Record<Name, SystemUnderTest>,
  layout: Layout,
): Promise<Record<Name, DrainFigures[]>> {
  const seeded = new Map<Name, SeededLanes>();
  const run = (name: Name, count: number) => async (): Promise<DrainFigures> => {
    const system = systems[name];
    const lanes = seeded.get(name) ?? (await prepare(name, system, layout, endpoint));
    seeded.set(name, lanes);
    return drainOnce({ context, receiver, system, lanes, count });
  };
  const variants: Partial<Record<Name, () => Promise<DrainFigures>>> = {
    product: run('product', layout.count),
    upperBound: run('upperBound', layout.count),
    ...(layout.lanes < MANY_LANES && { standing: run('standing', layout.count) }),
    ...(layout.referenceCount > 0 && { reference: run('reference', layout.referenceCount) }),
  };
  const results = await interleave(context.args.rounds, variants, WARM_UPS);
  return { ...results, reference: results.reference ?? [], standing: results.standing ?? [] };
}

/** The warm-up round delivers into empty tables; the counted rounds start with its rows. */
async function prepare(
  name: Name,
  { database }: SystemUnderTest,
  layout: Layout,
  endpoint: string,
): Promise<SeededLanes> {
  await emptyDeliveries(database);
  const lanes = await seedLanes(database, Array<string>(layout.lanes).fill(endpoint));
  return name === 'standing' ? seedStanding(database, lanes) : lanes;
}

function rows(kind: QueueKind, layout: Layout, results: Record<Name, DrainFigures[]>): Comparison[] {
  const { product, upperBound, reference, standing } = results;
  const key = `drain.${kind}.${layout.lanes}_lane${layout.lanes > 1 ? 's' : ''}`;
  const rates = (figures: DrainFigures[]): number[] => figures.map((figure) => figure.rate);
  const label = 'deliveries per second';
  return [
    {
      label,
      samples: rates(product),
      baseline: { name: 'claim, post, record', samples: rates(upperBound) },
      key: `${key}.of_ceiling`,
      bar: OVER_UPPER_BOUND[kind][layout.lanes]!,
    },
    ...(reference.length === 0
      ? []
      : [
          {
            label,
            samples: rates(product),
            baseline: { name: 'a job per delivery', samples: rates(reference) },
            ...(kind === 'redis' && { key: `${key}.of_textbook`, bar: OVER_REFERENCE }),
          },
        ]),
    ...(standing.length === 0
      ? []
      : [
          {
            label: `${label}, half of them to standing endpoints`,
            samples: rates(standing),
            baseline: { name: 'without standing endpoints', samples: rates(product) },
            key: `${key}.standing`,
            bar: OVER_OWN_ADDRESS,
          },
          {
            label: 'CPU µs per delivery: postgres, half of them to standing endpoints',
            samples: standing.map(({ cpu }) => cpu.postgres),
            baseline: { name: 'without standing endpoints', samples: product.map(({ cpu }) => cpu.postgres) },
          },
        ]),
    ...(['sender', 'postgres', 'receiver'] as const).map((part) => ({
      label: `CPU µs per delivery: ${part}`,
      samples: product.map(({ cpu }) => cpu[part]),
      baseline: { name: 'claim, post, record', samples: upperBound.map(({ cpu }) => cpu[part]) },
    })),
    ...(kind === 'redis'
      ? [{ label: 'CPU µs per delivery: redis', samples: product.map(({ cpu }) => cpu.redis) }]
      : []),
    { label: 'duplicates', samples: product.map(({ duplicates }) => duplicates) },
  ];
}
