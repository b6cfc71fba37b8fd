import type { Schema } from '@payment-orchestrator/client';
import type { Operator } from './condition-tests';

export type Capture = 'automatic' | 'manual';
export type Definition = Schema<'FlowDefinition'> & { capture?: Capture };
export type Strategy = Schema<'Strategy'>;
export type Choice = Schema<'RuleStrategy'>;
export type Otherwise = Schema<'RuleOtherwise'>;

/** A typed number. An invalid text is sent unchanged, so that the API reports the error. `undefined`: not set. */
export type TypedNumber = number | string | undefined;

/** A list item with its own key, so that it keeps its inputs and the focus when it is moved. */
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

/** An account that has the payer's payment method. */
export interface OptionForm extends Keyed {
  provider: string;
  /** The label; empty: any account at the provider. */
  account: string;
}

/** One test of one field. */
export interface TestNode extends Keyed {
  kind: 'test';
  field: string;
  operator: Operator;
  value: unknown;
}

/** A group of conditions. `every`: the parts of one object, all must hold. `all`, `any`, `not`: as in the API. */
export interface GroupNode extends Keyed {
  kind: 'every' | 'all' | 'any' | 'not';
  items: ConditionNode[];
}

export type ConditionNode = TestNode | GroupNode;

export interface UseForm {
  shops: number[];
  strategy: Choice;
  /** Kept while another strategy is chosen, but not sent. */
  success_rate?: Schema<'SuccessRate'> | undefined;
}

/** The end of a rule that declines. */
export interface DeclineForm {
  code: string;
  message: string;
}

export interface RuleForm extends Keyed {
  /** Empty: the rule has no name. */
  name: string;
  when: GroupNode;
  /** Kept while the rule declines, but not sent. */
  use: UseForm;
  /** The treatment of payments that none of its shops can take. Kept while the rule declines, but not sent. */
  otherwise: Otherwise;
  /** `undefined`: the rule sends payments to shops. */
  decline: DeclineForm | undefined;
}

export type Claim = 'never' | 'at_least' | 'at_least_tries';

export interface AssertionForm extends Keyed {
  when: GroupNode;
  /** The accounts that the payments name; empty: they name none. */
  options: OptionForm[];
  claim: Claim;
  value: TypedNumber;
}

/** The form. It keeps rules while another strategy is chosen, but does not send them. */
export interface DefinitionForm {
  strategy: Strategy;
  shops: ShopForm[];
  rules: RuleForm[];
  otherwise: UseForm | undefined;
  /** Kept while another strategy is chosen, but not sent. */
  successRate: Schema<'SuccessRate'> | undefined;
  maxAttempts: TypedNumber;
  capture: Capture | undefined;
  assertions: AssertionForm[];
  /** Whether the definition has a list of assertions, even an empty one. */
  hasAssertions: boolean;
}

let keys = 0;

export const newKey = (): string => `k${++keys}`;
