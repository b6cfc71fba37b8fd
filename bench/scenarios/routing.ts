import type { DeciderOffer, DecisionLoad } from '../processes/decider.js';
import { STRATEGY_NAMES } from '../../src/flows/definition/definition.js';
import type { Context, Scenario } from '../support/context.js';
import { Remote } from '../support/remote.js';
import type { Comparison } from '../support/report.js';
import { interleave } from '../support/statistics.js';

/** Decisions of round_robin with 3 shops, per second on one core. */
const TARGET = 1_000_000;
const SHOPS = [3, 30, 300];

export const routing: Scenario = {
  about: 'routing decisions per second of CPU time, every strategy with 3, 30 and 300 shops',
  async run(context) {
    for (const withConditions of [false, true]) {
      const title = `routing: decisions per second of CPU time${withConditions ? ', a third of the shops with conditions' : ''}`;
      const rates = await measure(context, withConditions);
      const rows = STRATEGY_NAMES.flatMap((strategy) => rateRows(strategy, rates, withConditions));
      context.report.add(title, [...rows, ...STRATEGY_NAMES.map((strategy) => growthRow(strategy, rates))]);
    }
  },
};

type Rates = Record<string, number[]>;

const nameOf = (strategy: string, shops: number): string => `${strategy}, ${shops} shops`;

/** Each strategy in a process of its own, so that none runs on what the compiler has learnt from another. */
async function measure(context: Context, withConditions: boolean): Promise<Rates> {
  const durationMs = context.args.quick ? 100 : 500;
  const rates: Rates = {};
  for (const strategy of STRATEGY_NAMES) {
    const decider = await Remote.start<DeciderOffer>(context.supervisor, 'processes/decider');
    const variants = SHOPS.map((shops) => {
      const load: DecisionLoad = { strategy, shops, withConditions };
      return [nameOf(strategy, shops), () => decider.call('decisions', load, durationMs)] as const;
    });
    Object.assign(rates, await interleave(context.args.rounds, Object.fromEntries(variants)));
    await decider.stop();
  }
  return rates;
}

const rateRows = (strategy: string, rates: Rates, withConditions: boolean): Comparison[] =>
  SHOPS.map((shops) => {
    const label = nameOf(strategy, shops);
    const samples = rates[label]!;
    if (strategy !== 'round_robin' || shops !== 3 || withConditions) return { label, samples };
    const baseline = { name: 'target', samples: samples.map(() => TARGET) };
    return { label, samples, baseline, key: 'routing.round_robin.3_shops', bar: { atLeast: 1 } };
  });

/** Nanoseconds per shop must not rise with the number of shops. */
function growthRow(strategy: string, rates: Rates): Comparison {
  const perShop = (shops: number): number[] => rates[nameOf(strategy, shops)]!.map((rate) => 1e9 / rate / shops);
  return {
    label: `${strategy}, 300 shops: ns per shop`,
    samples: perShop(300),
    baseline: { name: '3 shops', samples: perShop(3) },
    bar: { atMost: 1 },
  };
}
