import type {
  Assertion,
  FlowDefinition,
  FlowShop,
  Rule,
  RuleDecline,
  ShopConditions,
} from '../definition/definition.js';
import type { PaymentMethodOption } from '../facts/payment-method.js';
import { paymentsWords } from './condition-words.js';
import { ruleWords, type ShopNameOf, targetWords, wholeUse } from './target-words.js';
import { orOf, sentence } from './value-words.js';

/** A definition as sentences, in the order in which a payment meets its parts. */
export function definitionSentences(definition: FlowDefinition, nameOf: ShopNameOf): string[] {
  const { shops, rules = [], default: otherwise, assertions = [] } = definition;
  const whole = wholeUse(definition);
  return [
    ...(whole ? [`payments go to ${targetWords(whole, shops, nameOf)}`] : []),
    ...rules.map((rule, index) => `${ruleWords(rule, index)}: ${ruleEffect(rule, shops, nameOf)}`),
    ...(otherwise ? [`all other payments go to ${targetWords(otherwise, shops, nameOf)}`] : []),
    ...shops.flatMap((shop) => limitWords(shop, nameOf)),
    attemptsWords(definition),
    captureWords(definition),
    ...assertions.map((assertion) => `always: ${assertionWords(assertion, nameOf)}`),
  ].map(sentence);
}

/** The payments of a rule, and what becomes of them. */
export const ruleEffect = (rule: Rule, shops: readonly FlowShop[], nameOf: ShopNameOf): string =>
  `${paymentsWords(rule.when)} ${endWords(rule, shops, nameOf)}`;

/** The end of a rule's payments, as in “go to Paris”. */
export const endWords = (rule: Rule, shops: readonly FlowShop[], nameOf: ShopNameOf): string =>
  rule.decline ? `are ${declineWords(rule.decline)}` : `go to ${ruleTarget(rule, shops, nameOf)}`;

/** The same of an earlier version, as in “was Paris”. */
export const formerEndWords = (rule: Rule, shops: readonly FlowShop[], nameOf: ShopNameOf): string =>
  rule.decline ? `were ${declineWords(rule.decline)}` : `was ${ruleTarget(rule, shops, nameOf)}`;

function ruleTarget({ use, otherwise }: Rule, shops: readonly FlowShop[], nameOf: ShopNameOf): string {
  const refused = otherwise === 'refuse' ? ', and are refused if none of these can take them' : '';
  return `${targetWords(use!, shops, nameOf)}${refused}`;
}

const declineWords = ({ code, message }: RuleDecline): string =>
  `declined with the code ${code}${message === undefined ? '' : ` (“${message}”)`}`;

function limitWords(shop: FlowShop, nameOf: ShopNameOf): string[] {
  const name = nameOf(shop.shop_id);
  if (!shop.enabled) return [`${name} is switched off`];
  const takes = takenWords(shop.conditions);
  return takes === 'all payments' ? [] : [`${name} takes only ${takes}`];
}

/** The payments that a shop's conditions let through. */
export const takenWords = ({ currencies, countries, min_amount: min, max_amount: max }: ShopConditions): string =>
  paymentsWords({
    ...(currencies && { currency: { in: currencies } }),
    ...(countries && { country: { in: countries } }),
    ...((min !== undefined || max !== undefined) && {
      amount: { ...(min !== undefined && { min }), ...(max !== undefined && { max }) },
    }),
  });

export const attemptsWords = ({ max_attempts: attempts = 1 }: Pick<FlowDefinition, 'max_attempts'>): string =>
  attempts === 1
    ? 'a payment is tried with one shop only'
    : `a payment that a shop does not approve is tried with up to ${attempts} shops`;

export const captureWords = ({ capture = 'automatic' }: Pick<FlowDefinition, 'capture'>): string =>
  capture === 'manual'
    ? 'payments are authorised first and captured later, unless they say otherwise'
    : 'payments are captured at once, unless they say otherwise';

export function assertionWords({ when, payment_method: method, ...claim }: Assertion, nameOf: ShopNameOf): string {
  const payments = `${paymentsWords(when)}${method ? ` payable only at ${orOf(method.options.map(accountWords))}` : ''}`;
  if ('never' in claim) return `${payments.replace(/^all payments/, 'payments')} never go to ${nameOf(claim.never)}`;
  if ('at_least' in claim) return `${payments} have at least ${shopsWords(claim.at_least)} to go to`;
  return `${payments} are tried with at least ${shopsWords(claim.at_least_tries)}`;
}

const accountWords = ({ provider, account }: PaymentMethodOption): string =>
  account === undefined ? provider : `${provider} (${account})`;

const shopsWords = (count: number): string => (count === 1 ? 'one shop' : `${count} shops`);
