import type { CaptureMode } from '../facts/capture-mode.js';
import { accountsOf, type PaymentMethodOption } from '../facts/payment-method.js';
import type { Condition } from './condition.js';
import type {
  Assertion,
  ChoiceName,
  FlowDefinition,
  FlowShop,
  Rule,
  RULE_OTHERWISE,
  RuleDecline,
  RuleUse,
  ShopConditions,
  StrategyName,
  SuccessRateOptions,
} from './definition.js';

/** A definition as a caller writes it, in a file or a request: what is omitted has its default. */
export interface GivenDefinition {
  strategy: StrategyName;
  shops: GivenShop[];
  rules?: GivenRule[];
  default?: GivenUse;
  success_rate?: SuccessRateOptions;
  max_attempts?: number;
  capture?: CaptureMode;
  assertions?: GivenAssertion[];
}

interface GivenShop {
  shop_id: number;
  /** Default 1. */
  priority?: number;
  /** Default 1. */
  weight?: number;
  /** Default `true`. */
  enabled?: boolean;
  conditions?: ShopConditions;
}

interface GivenUse {
  shops: number[];
  strategy: ChoiceName;
  success_rate?: SuccessRateOptions;
}

interface GivenRule {
  name?: string;
  when: Condition;
  use?: GivenUse;
  /** Default `next`. */
  otherwise?: (typeof RULE_OTHERWISE)[number];
  decline?: RuleDecline;
}

interface GivenAssertion {
  when: Condition;
  payment_method?: { options: PaymentMethodOption[] };
  never?: number;
  at_least?: number;
  at_least_tries?: number;
}

/** The definition as it is stored, with its defaults. Expects one without `shapeErrors`. */
export const definitionOf = (given: GivenDefinition): FlowDefinition => fieldsOf(given) as FlowDefinition;

/** The given fields as they are stored, for a definition or a change of one. */
export function fieldsOf(given: Partial<GivenDefinition>): Partial<FlowDefinition> {
  const {
    strategy,
    shops,
    rules,
    default: otherwise,
    success_rate: options,
    max_attempts,
    capture,
    assertions,
  } = given;
  return {
    ...(strategy !== undefined && { strategy }),
    ...(shops && { shops: shops.map(shopOf) }),
    ...(rules && { rules: rules.map(ruleOf) }),
    ...(otherwise && { default: useOf(otherwise) }),
    ...(options && { success_rate: optionsOf(options) }),
    ...(max_attempts !== undefined && { max_attempts }),
    ...(capture !== undefined && { capture }),
    ...(assertions && { assertions: assertions.map(assertionOf) }),
  };
}

const shopOf = ({ shop_id, priority = 1, weight = 1, enabled = true, conditions = {} }: GivenShop): FlowShop => ({
  shop_id,
  priority,
  weight,
  enabled,
  conditions: { ...conditions },
});

const useOf = ({ shops, strategy, success_rate: options }: GivenUse): RuleUse => ({
  shops,
  strategy,
  ...(options && { success_rate: optionsOf(options) }),
});

const optionsOf = ({ objective, by }: SuccessRateOptions): SuccessRateOptions => ({
  ...(objective !== undefined && { objective }),
  ...(by && { by }),
});

const ruleOf = ({ name, when, use, otherwise, decline }: GivenRule): Rule =>
  ({
    ...(name !== undefined && { name }),
    when,
    ...(use && { use: useOf(use) }),
    // the default is not stored, so that a rule that names it keeps its hits
    ...(otherwise === 'refuse' && { otherwise }),
    ...(decline && { decline: { ...decline } }),
  }) as Rule;

function assertionOf({ when, payment_method: method, ...claims }: GivenAssertion): Assertion {
  const made = Object.entries(claims).filter(([, value]) => value !== undefined);
  const named = method && { payment_method: { options: accountsOf(method.options) } };
  return { when, ...named, ...Object.fromEntries(made) } as Assertion;
}
