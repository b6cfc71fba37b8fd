import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { group, newTest } from '../model/condition-form';
import { newKey, type RuleForm } from '../model/form';
import { moved, replaced, without } from '../model/order';
import { ConditionFields } from './condition-fields';
import type { FormProps } from './form-props';
import { OtherErrors } from './errors-context';
import { OrderedCards } from './ordered-cards';
import { UseFields } from './use-fields';

/** The rules, in the order in which they are tried. */
export function RuleCards({ form, onChange, nameOf }: FormProps) {
  const change = (rules: RuleForm[]): void => onChange({ ...form, rules });
  const members = form.shops.map(({ shopId }) => ({ id: shopId, name: nameOf(shopId) }));
  return (
    <Card title="Rules" actions={<Button onClick={() => change([...form.rules, newRule()])}>Add rule</Button>}>
      <p className="muted small">The first matching rule with an available shop applies.</p>
      <OrderedCards
        label="Rules, in order"
        items={form.rules}
        nameOf={(_, index) => `rules[${index}]`}
        noteOf={({ use }) => <span className="muted small truncate">{use.shops.map(nameOf).join(', ')}</span>}
        onMove={(from, to) => change(moved(form.rules, from, to))}
        onRemove={(index) => change(without(form.rules, index))}
      >
        {(rule, index) => (
          <>
            <h4>When</h4>
            <ConditionFields
              name={`rules[${index}]`}
              path={`rules[${index}].when`}
              condition={rule.when}
              onChange={(when) => change(replaced(form.rules, index, { ...rule, when }))}
            />
            <h4>Use</h4>
            <UseFields
              use={rule.use}
              path={`rules[${index}].use`}
              members={members}
              onChange={(use) => change(replaced(form.rules, index, { ...rule, use }))}
            />
            <OtherErrors
              field={`rules[${index}]`}
              shown={[`rules[${index}].when`, `rules[${index}].use.shops`, `rules[${index}].use.strategy`]}
            />
          </>
        )}
      </OrderedCards>
      <OtherErrors field="rules" shown={form.rules.map((_, index) => `rules[${index}]`)} />
    </Card>
  );
}

const newRule = (): RuleForm => ({
  key: newKey(),
  when: group('every', [newTest()]),
  use: { shops: [], strategy: 'round_robin' },
});
