import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decideAmong } from '@payment-orchestrator/routing/decision/decision';
import { candidatesFor } from '@payment-orchestrator/routing/decision/candidates';
import { ReadSegments } from '@payment-orchestrator/routing/decision/segments';
import { SegmentRates } from '@payment-orchestrator/routing/strategies/segment-rates';
import { generator } from '@payment-orchestrator/routing/statistics/random';
import type { ShopStats } from '@payment-orchestrator/routing/facts/shop';
import type { Context, Scenario } from '../harness/context.js';
import { linePlot } from '../routing/plot.js';
import { type Arm, flowBy, type Outcome, simulate } from '../routing/simulation.js';
import { factsFrom, HOURS, PAYMENTS_PER_HOUR, SHOP_IDS, type Market, MARKETS } from '../routing/markets.js';
import { PLOTS } from '../support/plots.js';
import type { Bar, Comparison } from '../support/report.js';
import { interleave } from '../support/statistics.js';

const SEEDS = { full: [1, 2, 3], quick: [1] };
const FLAT: Arm = { name: 'flat', by: [] };
const BY_ONE: Arm = { name: 'by scheme', by: ['card.scheme'] };
const BY_TWO: Arm = { name: 'by scheme and BIN', by: ['card.scheme', 'card.bin'] };
const ARMS = [FLAT, BY_ONE, BY_TWO];
/** The most that each arm may lose, divided by the loss with flat rates. */
const BARS: Record<string, Bar[]> = {
  same: [{ atMost: 1.05 }, { atMost: 1.05 }],
  interaction: [{ atMost: 0.8 }, { atMost: 0.8 }],
  levels: [{ atMost: 0.8 }, { atMost: 0.8 }],
  drift: [{ atMost: 1 }, { atMost: 1.05 }],
};
const DECISIONS = 20_000;

export const routing: Scenario = {
  about: 'approvals lost by success_rate with and without segments, in four generated markets; µs per decision',
  async run(context) {
    const seeds = context.args.quick ? SEEDS.quick : SEEDS.full;
    const panels = MARKETS.map((market) => {
      context.say(market.title);
      const outcomes = ARMS.map((arm) => seeds.map((seed) => simulate(market, arm, seed)));
      context.report.add(`routing, ${market.name}: ${market.title.toLowerCase()}`, rowsOf(market, outcomes));
      const lines = ARMS.map(({ name }, index) => ({ name, values: meanByHour(outcomes[index]!) }));
      return { title: market.title, lines };
    });
    context.report.add('routing: µs per decision among four shops', await costs(context));
    if (context.args.quick) return;
    const path = join(PLOTS, 'routing.svg');
    await mkdir(PLOTS, { recursive: true });
    const subtitle = `${PAYMENTS_PER_HOUR} payments an hour, four shops, mean of ${seeds.length} runs; less is better`;
    await writeFile(path, linePlot('Approvals lost against the best shop of each payment', subtitle, panels));
    context.say(`drawn: ${path}`);
  },
};

function rowsOf({ name }: Market, [flat, ...others]: readonly Outcome[][]): Comparison[] {
  const lostBy = (outcomes: readonly Outcome[]): number[] => outcomes.map(({ lost }) => lost);
  return [
    { label: 'approvals lost per 1,000 payments, flat', samples: lostBy(flat!) },
    ...others.flatMap((outcomes, index): Comparison[] => {
      const arm = ARMS[index + 1]!;
      return [
        {
          label: `approvals lost per 1,000 payments, ${arm.name}`,
          samples: lostBy(outcomes),
          baseline: { name: 'flat', samples: lostBy(flat!) },
          key: `routing.${name}.fields_${arm.by.length}`,
          bar: BARS[name]![index]!,
        },
        ...[...arm.by.keys(), arm.by.length].map((level) => ({
          label: `share of decisions at level ${level}, ${arm.name}`,
          samples: outcomes.map(({ coverage }) => coverage[level]!),
        })),
      ];
    }),
  ];
}

const meanByHour = (outcomes: readonly Outcome[]): number[] =>
  Array.from(
    { length: HOURS },
    (_, hour) => outcomes.reduce((sum, { lostByHour }) => sum + lostByHour[hour]!, 0) / outcomes.length,
  );

async function costs({ args }: Context): Promise<Comparison[]> {
  const results = await interleave(args.rounds, {
    flat: () => Promise.resolve(microsecondsBy(FLAT)),
    one: () => Promise.resolve(microsecondsBy(BY_ONE)),
    two: () => Promise.resolve(microsecondsBy(BY_TWO)),
  });
  const baseline = { name: 'flat', samples: results.flat };
  return [
    { label: 'by scheme', samples: results.one, baseline },
    { label: 'by scheme and BIN', samples: results.two, baseline },
  ];
}

/** The pick only: a stored decision also has its probability and trace. */
function microsecondsBy({ by }: Arm): number {
  const facts = generator(1);
  const draws = generator(2);
  const flow = flowBy(by);
  const stats: ReadonlyMap<number, ShopStats> = new Map(
    SHOP_IDS.map((id) => [id, { approved: 80 + id, declined: 20 - id, failed: 0, health: 'healthy' }]),
  );
  const schemes = ['visa', 'mastercard', 'amex', 'other'];
  const cells = SHOP_IDS.flatMap((shopId) =>
    [[], ...schemes.map((scheme) => [scheme])].map((values) => ({ shopId, values, approved: 90, others: 10 })),
  );
  const segments = new ReadSegments([[by, new SegmentRates(cells, by.length)]]);
  const requests = Array.from({ length: 100 }, () => ({
    amount: 50,
    currency: 'EUR',
    paymentMethod: { type: 'card', card: factsFrom(facts) },
  }));
  const started = performance.now();
  for (let decision = 0; decision < DECISIONS; decision++) {
    const candidates = candidatesFor(flow, requests[decision % requests.length]!, stats, segments);
    decideAmong(candidates, { counter: 0, random: draws });
  }
  return ((performance.now() - started) * 1_000) / DECISIONS;
}
