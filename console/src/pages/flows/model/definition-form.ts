import type { Schema } from '@payment-orchestrator/client';
import { conditionForm, conditionOf } from './condition-form';
import {
  type AssertionForm,
  type Claim,
  type Definition,
  type DefinitionForm,
  newKey,
  type RuleForm,
  type ShopForm,
  type UseForm,
} from './form';
import { optionForms, optionsOf } from './method-form';

/** Converts a definition to a form; `definitionOf` converts it back. */
export const definitionForm = (definition: Definition): DefinitionForm => ({
  strategy: definition.strategy,
  shops: definition.shops.map(shopForm),
  rules: (definition.rules ?? []).map(ruleForm),
  otherwise: definition.default && { ...definition.default },
  successRate: definition.success_rate,
  maxAttempts: definition.max_attempts,
  capture: definition.capture,
  assertions: (definition.assertions ?? []).map(assertionForm),
  hasAssertions: definition.assertions !== undefined,
});

export function definitionOf(form: DefinitionForm): Definition {
  const { strategy, otherwise, rules, successRate, assertions } = form;
  const definition = {
    strategy,
    shops: form.shops.map(shopOf),
    ...(strategy === 'rules' && { rules: rules.map(ruleOf) }),
    ...(strategy === 'rules' && otherwise && { default: sentUse(otherwise) }),
    ...(strategy === 'success_rate' && successRate && { success_rate: successRate }),
    ...defined({ max_attempts: form.maxAttempts, capture: form.capture }),
    ...((assertions.length > 0 || form.hasAssertions) && { assertions: assertions.map(assertionOf) }),
  };
  // a typed number may be invalid: the API then reports the error at the field
  return definition as Definition;
}

export const newShop = (shopId: number): ShopForm => shopForm({ shop_id: shopId });

function shopForm({ shop_id, priority, weight, enabled, conditions = {} }: Schema<'FlowShop'>): ShopForm {
  const { currencies, countries, min_amount: minAmount, max_amount: maxAmount } = conditions;
  return { key: newKey(), shopId: shop_id, priority, weight, enabled, currencies, countries, minAmount, maxAmount };
}

function shopOf({ shopId, priority, weight, enabled, ...conditions }: ShopForm): object {
  const { currencies, countries, minAmount, maxAmount } = conditions;
  const limits = defined({ currencies, countries, min_amount: minAmount, max_amount: maxAmount });
  return {
    shop_id: shopId,
    ...defined({ priority, weight, enabled }),
    ...(Object.keys(limits).length > 0 && { conditions: limits }),
  };
}

const ruleForm = ({ name = '', when, use, otherwise = 'next', decline }: Schema<'Rule'>): RuleForm => ({
  key: newKey(),
  name,
  when: conditionForm(when),
  use: use ? { ...use } : newUse(),
  otherwise,
  decline: decline && { code: decline.code, message: decline.message ?? '' },
});

/** The rule as the API takes it. */
export const ruleOf = ({ name, when, use, otherwise, decline }: RuleForm): object => ({
  ...(name !== '' && { name }),
  when: conditionOf(when),
  ...(decline
    ? { decline: { code: decline.code, ...(decline.message !== '' && { message: decline.message }) } }
    : { use: sentUse(use), ...(otherwise === 'refuse' && { otherwise }) }),
});

const sentUse = ({ shops, strategy, success_rate }: UseForm): UseForm => ({
  shops,
  strategy,
  ...(strategy === 'success_rate' && success_rate && { success_rate }),
});

export const newUse = (): UseForm => ({ shops: [], strategy: 'round_robin' });

function assertionForm({ when, payment_method: method, ...claims }: Schema<'Assertion'>): AssertionForm {
  const [claim, value] = (Object.entries(claims)[0] ?? ['at_least', undefined]) as [Claim, number | undefined];
  return { key: newKey(), when: conditionForm(when), options: optionForms(method?.options ?? []), claim, value };
}

const assertionOf = ({ when, options, claim, value }: AssertionForm): object => ({
  when: conditionOf(when),
  ...(options.length > 0 && { payment_method: { options: optionsOf(options) } }),
  ...defined({ [claim]: value }),
});

const defined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
