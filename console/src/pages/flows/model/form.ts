import type { Schema } from '@payment-orchestrator/client';
import type { Operator } from './condition-tests';

export type Definition = Schema<'FlowDefinition'>;
export type Strategy = Schema<'Strategy'>;
export type Choice = Schema<'RuleStrategy'>;

/** A number while it is typed: text that is none is sent as it is, for the API to say what is wrong. `undefined`: left out. */
export type TypedNumber = number | string | undefined;

/** What is listed has a key of its own: it keeps its inputs, and the focus in them, wherever it is moved. */
interface Keyed {
  key: string;
}

export interface ShopForm extends Keyed {
  shopId: number;
  priority: TypedNumber;
  weight: TypedNumber;
  enabled: boolean | undefined;
  currencies: string[] | undefined;
  countries: string[] | undefined;
  minAmount: TypedNumber;
  maxAmount: TypedNumber;
}

/** One test of one field. */
export interface TestNode extends Keyed {
  kind: 'test';
  field: string;
  operator: Operator;
  value: unknown;
}

/** `every`: the parts of one object, all of which must hold; the others are what the API calls so. `not`: not all of them. */
export interface GroupNode extends Keyed {
  kind: 'every' | 'all' | 'any' | 'not';
  items: ConditionNode[];
}

export type ConditionNode = TestNode | GroupNode;

export interface UseForm {
  shops: number[];
  strategy: Choice;
}

export interface RuleForm extends Keyed {
  when: GroupNode;
  use: UseForm;
}

export type Claim = 'never' | 'at_least' | 'at_least_tries';

export interface AssertionForm extends Keyed {
  when: GroupNode;
  claim: Claim;
  value: TypedNumber;
}

/** Rules stay while another strategy is tried; they are not sent then. */
export interface DefinitionForm {
  strategy: Strategy;
  shops: ShopForm[];
  rules: RuleForm[];
  otherwise: UseForm | undefined;
  maxAttempts: TypedNumber;
  assertions: AssertionForm[];
  /** As it came: an empty list of them is not the same as none. */
  hasAssertions: boolean;
}

let keys = 0;

export const newKey = (): string => `k${++keys}`;
