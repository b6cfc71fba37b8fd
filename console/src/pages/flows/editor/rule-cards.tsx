import { ruleTitle } from '@payment-orchestrator/routing/words/target-words';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { TextField } from '../../../ui/field';
import { group, newTest } from '../model/condition-form';
import { newUse } from '../model/definition-form';
import { newKey, type RuleForm } from '../model/form';
import { moved, replaced, without } from '../model/order';
import { ConditionFields } from './condition-fields';
import type { FormProps } from './form-props';
import { OtherErrors, useFieldError } from './errors-context';
import { OrderedCards } from './ordered-cards';
import { RuleEnd } from './rule-end';
import { RuleFacts } from './rule-facts';

/** The rules, in the order in which they are tried. */
export function RuleCards({ form, onChange, nameOf, factsOf }: FormProps) {
  const change = (rules: RuleForm[]): void => onChange({ ...form, rules });
  const members = form.shops.map(({ shopId }) => ({ id: shopId, name: nameOf(shopId) }));
  return (
    <Card title="Rules" actions={<Button onClick={() => change([...form.rules, newRule()])}>Add rule</Button>}>
      <p className="muted small">The first matching rule applies that declines, refuses or has an available shop.</p>
      <OrderedCards
        label="Rules, in order"
        items={form.rules}
        nameOf={titleOf}
        noteOf={({ use, otherwise, decline }) => (
          <span className="muted small truncate">
            {decline
              ? `declines with ${decline.code}`
              : `${use.shops.map(nameOf).join(', ')}${otherwise === 'refuse' ? ', or refuses' : ''}`}
          </span>
        )}
        onMove={(from, to) => change(moved(form.rules, from, to))}
        onRemove={(index) => change(without(form.rules, index))}
      >
        {(rule, index) => (
          <>
            <RuleFacts facts={factsOf(rule)} />
            <RuleName
              rule={rule}
              path={`rules[${index}].name`}
              onChange={(name) => change(replaced(form.rules, index, { ...rule, name }))}
            />
            <h4>When</h4>
            <ConditionFields
              name={titleOf(rule, index)}
              path={`rules[${index}].when`}
              condition={rule.when}
              onChange={(when) => change(replaced(form.rules, index, { ...rule, when }))}
            />
            <RuleEnd
              rule={rule}
              path={`rules[${index}]`}
              members={members}
              onChange={(changed) => change(replaced(form.rules, index, changed))}
            />
          </>
        )}
      </OrderedCards>
      <OtherErrors field="rules" shown={form.rules.map((_, index) => `rules[${index}]`)} />
    </Card>
  );
}

const titleOf = ({ name }: RuleForm, index: number): string => ruleTitle(name === '' ? {} : { name }, index);

interface NameProps {
  rule: RuleForm;
  path: string;
  onChange: (name: string) => void;
}

const RuleName = ({ rule, path, onChange }: NameProps) => (
  <TextField
    label="Name"
    hint="Optional, for people. Explanations of payments show it."
    maxLength={60}
    value={rule.name}
    error={useFieldError(path)}
    onChange={({ target }) => onChange(target.value)}
  />
);

const newRule = (): RuleForm => ({
  key: newKey(),
  name: '',
  when: group('every', [newTest()]),
  use: newUse(),
  otherwise: 'next',
  decline: undefined,
});
