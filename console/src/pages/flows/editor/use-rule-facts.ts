import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { ruleFactsQuery } from '../flow-queries';
import { definitionForm, ruleOf } from '../model/definition-form';
import type { Definition, RuleForm } from '../model/form';

/** The facts about a rule of the form, or about the default; `undefined`: the active version has no such rule. */
export type FactsOf = (rule: RuleForm | 'default') => UsedRule | undefined;

/** How often a rule decides, out of the looked-at payments. */
export interface UsedRule extends Schema<'RuleFacts'> {
  lookedAt: number;
  /** Hits are not from all payments of 30 days. */
  isTruncated: boolean;
}

/** Finds the facts of a rule by its content, because the form may have moved it. */
export function useRuleFacts(flowId: number, active: Definition): FactsOf {
  const isRules = active.strategy === 'rules';
  const { data } = useQuery({ ...ruleFactsQuery(flowId), enabled: isRules });
  if (!data || !isRules) return () => undefined;
  const texts = definitionForm(active).rules.map(textOf);
  return (rule) => {
    const place = rule === 'default' ? rule : texts.indexOf(textOf(rule));
    const facts = data.rules.find((each) => each.rule === place);
    return facts && { ...facts, lookedAt: data.payments_checked, isTruncated: data.is_truncated };
  };
}

/** A rule keeps its hits under another name. */
const textOf = (rule: RuleForm): string => JSON.stringify(ruleOf({ ...rule, name: '' }));
