import { Select } from '../../../ui/field';
import { ReasonField } from '../activation/reason-field';
import { ConditionFields } from '../editor/condition-fields';
import { OtherErrors, useFieldError } from '../editor/errors-context';
import { NumberField } from '../editor/parsed-fields';
import type { RolloutForm } from './rollout-form';
import { keyText } from './rollout-texts';

interface Props {
  form: RolloutForm;
  onChange: (change: Partial<RolloutForm>) => void;
  /** The active version. */
  base: number;
}

const KEYS = [
  { value: 'customer', label: 'customer' },
  { value: 'payment', label: 'payment' },
];
const CONFIDENCES = [
  { value: '0.9', label: '90 %: finds a drop sooner' },
  { value: '0.95', label: '95 %' },
  { value: '0.99', label: '99 %: fewer false alarms' },
];

/** The fields of a new rollout, with its guardrail in plain words. */
export const RolloutFields = ({ form, onChange, base }: Props) => (
  <>
    <div className="columns-2">
      <NumberField
        label="Percent of the payments"
        hint="Begin with 5 to 10. You can raise it later, which moves no customer back"
        path="percent"
        value={form.percent}
        onChange={(percent) => onChange({ percent })}
      />
      <Select
        label="Divide by"
        hint={keyText(form.key)}
        options={KEYS}
        value={form.key}
        error={useFieldError('key')}
        onChange={({ target }) => onChange({ key: target.value as RolloutForm['key'] })}
      />
    </div>
    <div className="stack">
      <h3>Payments that take part</h3>
      <ConditionFields name="when" path="when" condition={form.when} onChange={(when) => onChange({ when })} />
      <p className="small muted">All others use version {base}, and are not counted in the comparison.</p>
    </div>
    <GuardrailFields form={form} onChange={onChange} base={base} />
    <ReasonField value={form.reason} error={useFieldError('reason')} onChange={(reason) => onChange({ reason })} />
    <OtherErrors field="version" />
  </>
);

function GuardrailFields({ form, onChange, base }: Props) {
  const error = useFieldError('guardrail.confidence');
  return (
    <div className="stack" role="group" aria-label="Guardrail">
      <label className="check">
        <input
          type="checkbox"
          checked={form.hasGuardrail}
          onChange={({ target }) => onChange({ hasGuardrail: target.checked })}
        />
        Stop the rollout by itself when approvals drop
      </label>
      {form.hasGuardrail && (
        <>
          <div className="columns-2">
            <NumberField
              label="Drop in percent points"
              hint="2 means: 88 % instead of 90 % approved"
              path="guardrail.max_drop_points"
              value={form.maxDropPoints}
              onChange={(maxDropPoints) => onChange({ maxDropPoints })}
            />
            <NumberField
              label="Outcomes before it decides"
              hint="Approved or declined payments of each version"
              path="guardrail.min_payments"
              value={form.minPayments}
              onChange={(minPayments) => onChange({ minPayments })}
            />
            <Select
              label="Certainty"
              options={CONFIDENCES}
              value={String(form.confidence)}
              error={error}
              onChange={({ target }) => onChange({ confidence: Number(target.value) })}
            />
          </div>
          <p className="small muted">
            The service compares both versions once a minute. When approvals are clearly lower, all payments use version{' '}
            {base} again. It waits for enough payments, so a few unlucky declines stop nothing.
          </p>
        </>
      )}
    </div>
  );
}
