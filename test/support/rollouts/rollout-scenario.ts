import { checkGuardrail, type Guardrail, type GuardrailCheck } from '@payment-orchestrator/routing/rollouts/guardrail';
import type { RolloutCount } from '@payment-orchestrator/routing/rollouts/stage-outcomes';
import { SeededRandom } from '../../../src/shared/seeded-random.js';
import { binomial } from './binomial.js';

/** A merchant's payments during a rollout, minute by minute. */
export interface ScenarioPlan {
  guardrail: Guardrail;
  /** The base's approval rate in the first and in the last minute; it changes evenly. */
  rates: [number, number];
  /** How much lower the candidate's approval rate is. */
  drop: number;
  /** One stage per percent, all equally long. */
  percents: number[];
  minutes: number;
  paymentsPerMinute: number;
  /** Customers who pay several times; by default each payment has a customer of its own. */
  customers?: CustomersPlan;
}

interface CustomersPlan {
  key: 'payment' | 'customer';
  number: number;
  /** The share of customers whose payments are declined far more often. */
  unlucky: number;
  /** The mean number of payments of a customer within one minute. */
  burst: number;
}

export interface ScenarioEnd {
  counts: RolloutCount[];
  /** Outcomes until the guardrail was crossed; `null`: it never was. */
  crossedAfter: number | null;
  lastCheck: GuardrailCheck;
}

const CLUSTERS = 256;
/** A minute's payments at one version come from this many clusters at most, so that a scenario costs milliseconds. */
const CLUSTERS_PER_MINUTE = 8;
/** The rate of unlucky customers, relative to the one of all. */
const UNLUCKY_RATE = 0.6;

export class RolloutScenario {
  readonly counts: RolloutCount[] = [];
  payments = 0;
  minute = 0;
  /** From 1. */
  private stage = 1;
  private readonly cells = new Map<number, RolloutCount>();
  private readonly random: SeededRandom;
  private readonly customers: { cluster: number; isUnlucky: boolean; place: number }[];

  constructor(
    readonly plan: ScenarioPlan,
    seed: number,
  ) {
    const random = new SeededRandom('scenario', seed);
    this.random = random;
    this.customers = Array.from({ length: plan.customers?.number ?? 0 }, () => ({
      cluster: random.integer(0, CLUSTERS - 1),
      isUnlucky: random.chance(plan.customers!.unlucky),
      place: random.next(),
    }));
  }

  get isOver(): boolean {
    return this.minute >= this.plan.minutes;
  }

  get percent(): number {
    return this.plan.percents[this.stage - 1]!;
  }

  /** Passes one minute. */
  next(): void {
    const { percents, minutes } = this.plan;
    this.stage = Math.floor((this.minute * percents.length) / minutes) + 1;
    if (this.plan.customers) this.addBursts(this.plan.customers);
    else this.addBatch();
    this.minute++;
  }

  check(): GuardrailCheck {
    const key = this.plan.customers?.key ?? 'payment';
    return checkGuardrail(this.plan.guardrail, this.counts, { percent: this.percent, key });
  }

  private get rate(): number {
    const [first, last] = this.plan.rates;
    return first + ((last - first) * this.minute) / this.plan.minutes;
  }

  private addBatch(): void {
    const { paymentsPerMinute, drop } = this.plan;
    const chosen = binomial(this.random, paymentsPerMinute, this.percent / 100);
    this.spread(true, chosen, this.rate - drop);
    this.spread(false, paymentsPerMinute - chosen, this.rate);
  }

  private spread(candidate: boolean, payments: number, rate: number): void {
    const clusters = Math.min(payments, CLUSTERS_PER_MINUTE);
    for (let index = 0; index < clusters; index++) {
      const part = Math.floor((payments * (index + 1)) / clusters) - Math.floor((payments * index) / clusters);
      this.add(candidate, this.random.integer(0, CLUSTERS - 1), part, binomial(this.random, part, rate));
    }
  }

  private addBursts({ key, unlucky, burst }: CustomersPlan): void {
    const { random } = this;
    const share = this.percent / 100;
    const baseRate = this.rate;
    const lowered = 1 - this.plan.drop / baseRate;
    for (let sum = 0; sum < this.plan.paymentsPerMinute;) {
      // the square prefers some customers
      const customer = this.customers[Math.floor(random.next() ** 2 * this.customers.length)]!;
      const luck = customer.isUnlucky ? UNLUCKY_RATE : (1 - unlucky * UNLUCKY_RATE) / (1 - unlucky);
      do {
        const candidate = (key === 'customer' ? customer.place : random.next()) < share;
        const rate = Math.min(1, baseRate * luck) * (candidate ? lowered : 1);
        this.add(candidate, customer.cluster, 1, random.chance(rate) ? 1 : 0);
        sum++;
      } while (random.chance(1 - 1 / burst));
    }
  }

  private add(candidate: boolean, cluster: number, payments: number, approved: number): void {
    const { stage } = this;
    const place = (stage * 2 + (candidate ? 1 : 0)) * CLUSTERS + cluster;
    let count = this.cells.get(place);
    if (!count) {
      count = { stage, candidate, cluster, payments: 0, approved: 0, declined: 0, refused: 0 };
      this.cells.set(place, count);
      this.counts.push(count);
    }
    count.payments += payments;
    count.approved += approved;
    count.declined += payments - approved;
    this.payments += payments;
  }
}

/** Runs a scenario until its guardrail is crossed or its time is over, with a check in each minute. */
export function runScenario(plan: ScenarioPlan, seed: number): ScenarioEnd {
  const scenario = new RolloutScenario(plan, seed);
  for (;;) {
    scenario.next();
    const check = scenario.check();
    if (check.isCrossed || scenario.isOver)
      return { counts: scenario.counts, crossedAfter: check.isCrossed ? scenario.payments : null, lastCheck: check };
  }
}
