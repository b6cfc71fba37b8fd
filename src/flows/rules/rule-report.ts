import type { PastPayment } from '@payment-orchestrator/routing/backtest/past-payment';
import {
  type Predicate,
  predicateOf,
  type RoutingRequest,
  valueAt,
} from '@payment-orchestrator/routing/definition/condition';
import type { FlowDefinition } from '@payment-orchestrator/routing/definition/definition';
import { type Atom, eachAtom, formulaOf } from '@payment-orchestrator/routing/definition/formula';
import { decidingKey } from '../definition/rule-key.js';

/** Why a rule may be dead. */
export type RuleWarningCode = 'never_hit' | 'unknown_metadata' | 'unknown_value';

export interface RuleWarning {
  code: RuleWarningCode;
  /** `null`: it is about the whole rule. */
  field: string | null;
  message: string;
}

/** The hits and the conditions of one rule. */
export interface RuleFacts {
  rule: number | 'default';
  hits24h: number;
  hits30d: number;
  /** The tests of the rule, in the order of its condition. */
  conditions: { field: string; met: number }[];
  warnings: RuleWarning[];
}

/** The payments that a rule decided, by its key. */
export type HitsByKey = ReadonlyMap<string, { day: number; month: number }>;

/** Fewer payments say nothing about metadata and values. */
const MIN_PAYMENTS = 10;
/** A rule without a hit may be new. After this time, or after this many payments of its version, it is not. */
const MIN_AGE_MS = 86_400_000;
const MIN_PAYMENTS_OF_VERSION = 100;

/** Fields with few values, so that a value without any payment is likely wrong. */
const FIELDS_OF_FEW_VALUES = ['currency', 'country', 'card.scheme', 'card.funding', 'card.issuer_country'];

/** One test of one field, and the payments that it was compared with. */
interface CountedTest extends Atom {
  readonly isMet: Predicate;
  /** Whether the payment has the field. */
  readonly isPresent: Predicate;
  /** Whether the rule is for payments without the field. */
  readonly wantsAbsence: boolean;
  met: number;
  present: number;
}

/**
 * Compares the conditions of a version's rules with the newest payments of its flow. Add the payments, then ask for the
 * facts. Memory does not grow with the number of payments.
 */
export class RuleReport {
  payments = 0;
  private readonly rules: CountedTest[][];
  private readonly decided: Set<string | null> = new Set();
  private paymentsOfVersion = 0;

  constructor(
    private readonly definition: FlowDefinition,
    /** `null`: it was never active. */
    private readonly activatedAt: Date | null,
  ) {
    this.rules = (definition.rules ?? []).map(({ when }) => {
      const tests: CountedTest[] = [];
      eachAtom(formulaOf(when, new Map()), (...atom) => tests.push(countedTest(...atom)));
      return tests;
    });
  }

  /** Compares a payment with one rule after the other. Yields often. */
  *add({ request, decision }: PastPayment, version: number): Generator<void, void> {
    this.payments++;
    if (decision?.flow_version === version) {
      this.paymentsOfVersion++;
      this.decided.add(decidingKey(this.definition, decision.rule));
    }
    for (const tests of this.rules) {
      for (const test of tests) {
        if (test.isMet(request)) test.met++;
        if (test.isPresent(request)) test.present++;
      }
      yield;
    }
  }

  /** Every rule in order, then the default; none for a flow without rules. */
  facts(hits: HitsByKey, now: Date): RuleFacts[] {
    if (this.definition.strategy !== 'rules') return [];
    const places: (number | 'default')[] = [...this.rules.keys(), 'default'];
    return places.map((rule) => {
      const tests = rule === 'default' ? [] : this.rules[rule]!;
      const key = decidingKey(this.definition, rule)!;
      const { day, month } = hits.get(key) ?? { day: 0, month: 0 };
      const isHit = month > 0 || this.decided.has(key);
      return {
        rule,
        hits24h: day,
        hits30d: month,
        conditions: tests.map(({ field, met }) => ({ field, met })),
        warnings: [...(isHit || rule === 'default' ? [] : this.neverHit(now)), ...this.unknown(tests)],
      };
    });
  }

  private neverHit(now: Date): RuleWarning[] {
    const age = this.activatedAt ? now.getTime() - this.activatedAt.getTime() : 0;
    const isOld = age >= MIN_AGE_MS && this.payments > 0;
    if (!isOld && this.paymentsOfVersion < MIN_PAYMENTS_OF_VERSION) return [];
    return [{ code: 'never_hit', field: null, message: 'decided none of the counted payments' }];
  }

  private unknown(tests: readonly CountedTest[]): RuleWarning[] {
    if (this.payments < MIN_PAYMENTS) return [];
    const byField = new Map<string, RuleWarning>();
    for (const test of tests) {
      const warning = this.warningOf(test);
      if (warning && !byField.has(test.field)) byField.set(test.field, warning);
    }
    return [...byField.values()];
  }

  private warningOf({ field, test, met, present, wantsAbsence }: CountedTest): RuleWarning | undefined {
    const among = `none of the last ${this.payments} payments`;
    if (field.startsWith('metadata.') && present === 0 && !wantsAbsence) {
      return { code: 'unknown_metadata', field, message: `${among} had ${field}` };
    }
    const names = test.equals !== undefined || test.in !== undefined;
    if (!FIELDS_OF_FEW_VALUES.includes(field) || !names || met > 0) return undefined;
    return { code: 'unknown_value', field, message: `${among} had a ${field} that the rule names` };
  }
}

function countedTest({ field, test }: Atom, isNegated: boolean): CountedTest {
  const isPresent = field.startsWith('metadata.')
    ? ({ metadata }: RoutingRequest) => valueAt(metadata, field.split('.').slice(1)) !== undefined
    : () => true;
  const wantsAbsence = test.exists === isNegated;
  return { field, test, isMet: predicateOf({ [field]: test }), isPresent, wantsAbsence, met: 0, present: 0 };
}
