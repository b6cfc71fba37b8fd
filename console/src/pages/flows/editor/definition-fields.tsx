import { Select } from '../../../ui/field';
import { Card } from '../../../ui/card';
import { type Capture, type DefinitionForm, type Strategy, type UseForm } from '../model/form';
import { AssertionCards } from './assertion-cards';
import { OtherErrors, useFieldError } from './errors-context';
import type { FormProps } from './form-props';
import { NumberField } from './parsed-fields';
import { RuleCards } from './rule-cards';
import { RuleFacts } from './rule-facts';
import { ShopCards } from './shop-cards';
import { STRATEGIES, descriptionOf } from './strategies';
import { SuccessRateFields } from './success-rate-fields';
import { UseFields } from './use-fields';

const CAPTURES = [
  { value: 'automatic', label: 'automatic' },
  { value: 'manual', label: 'manual' },
];

/** The form of the whole definition. */
export function DefinitionFields(props: FormProps) {
  const { form, onChange } = props;
  const change = (part: Partial<DefinitionForm>): void => onChange({ ...form, ...part });
  return (
    <div className="stack">
      <Card title="Strategy">
        <div className="columns-2">
          <Select
            label="Strategy"
            options={STRATEGIES}
            value={form.strategy}
            hint={descriptionOf(form.strategy)}
            error={useFieldError('strategy')}
            onChange={({ target }) => onChange(withStrategy(form, target.value as Strategy))}
          />
          <NumberField
            label="Maximum attempts"
            hint="How many shops are tried for a payment, including the first. 1: no failover"
            placeholder="1"
            path="max_attempts"
            value={form.maxAttempts}
            onChange={(maxAttempts) => change({ maxAttempts })}
          />
          <Select
            label="Capture"
            options={CAPTURES}
            value={form.capture ?? 'automatic'}
            hint="For payments whose request has no capture. A manual payment is only authorised, and captured later"
            error={useFieldError('capture')}
            onChange={({ target }) => change({ capture: target.value as Capture })}
          />
        </div>
        {form.strategy === 'success_rate' && (
          <SuccessRateFields
            options={form.successRate}
            path="success_rate"
            onChange={(successRate) => change({ successRate })}
          />
        )}
      </Card>
      <ShopCards {...props} />
      {form.strategy === 'rules' && (
        <>
          <RuleCards {...props} />
          <DefaultFields {...props} />
        </>
      )}
      <AssertionCards {...props} />
    </div>
  );
}

function DefaultFields({ form, onChange, nameOf, factsOf }: FormProps) {
  const ids = form.shops.map(({ shopId }) => shopId);
  const use: UseForm = form.otherwise ?? { shops: [], strategy: 'round_robin' };
  return (
    <Card title="Default">
      <p className="muted small">For payments without a matching rule, or whose rule has no available shop.</p>
      <RuleFacts facts={factsOf('default')} />
      <UseFields
        use={use}
        path="default"
        members={ids.map((id) => ({ id, name: nameOf(id) }))}
        onChange={(otherwise) => onChange({ ...form, otherwise })}
      />
      <OtherErrors field="default" shown={['default.shops', 'default.strategy', 'default.success_rate']} />
    </Card>
  );
}

/** Rules need a default. The new default has all shops and the previous strategy. */
function withStrategy(form: DefinitionForm, strategy: Strategy): DefinitionForm {
  if (strategy !== 'rules' || form.otherwise) return { ...form, strategy };
  const before = form.strategy === 'rules' ? 'round_robin' : form.strategy;
  const shops = form.shops.map(({ shopId }) => shopId);
  return { ...form, strategy, otherwise: { shops, strategy: before, success_rate: form.successRate } };
}
