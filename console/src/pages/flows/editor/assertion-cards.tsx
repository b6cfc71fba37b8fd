import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { Select } from '../../../ui/field';
import { group } from '../model/condition-form';
import { counterexampleOf } from '../model/counterexample';
import { type AssertionForm, type Claim, newKey } from '../model/form';
import { moved, replaced, without } from '../model/order';
import { AccountOptions } from '../account-options';
import { ConditionFields } from './condition-fields';
import type { FormProps } from './form-props';
import { OtherErrors, useFieldError, useFieldErrors } from './errors-context';
import { OrderedCards } from './ordered-cards';
import { NumberField } from './parsed-fields';

const CLAIMS: { value: Claim; label: string }[] = [
  { value: 'never', label: 'never go to the shop' },
  { value: 'at_least', label: 'have at least this many shops' },
  { value: 'at_least_tries', label: 'have at least this many attempts' },
];

/** Assertions about the flow. The API checks them for every possible payment before a version becomes active. */
export function AssertionCards(props: FormProps) {
  const { form, onChange } = props;
  const change = (assertions: AssertionForm[]): void => onChange({ ...form, assertions });
  const add = <Button onClick={() => change([...form.assertions, newAssertion()])}>Add assertion</Button>;
  return (
    <Card title="Assertions" actions={add}>
      <p className="muted small">
        Activating a version checks the assertions for every possible payment. If one is violated, the version is
        refused, with an example payment.
      </p>
      <OrderedCards
        label="Assertions"
        items={form.assertions}
        nameOf={(_, index) => `assertions[${index}]`}
        onMove={(from, to) => change(moved(form.assertions, from, to))}
        onRemove={(index) => change(without(form.assertions, index))}
      >
        {(assertion, index) => (
          <AssertionFields
            {...props}
            assertion={assertion}
            index={index}
            onAssertion={(changed) => change(replaced(form.assertions, index, changed))}
          />
        )}
      </OrderedCards>
      <OtherErrors field="assertions" shown={form.assertions.map((_, index) => `assertions[${index}]`)} />
    </Card>
  );
}

interface FieldsProps extends FormProps {
  assertion: AssertionForm;
  index: number;
  onAssertion: (assertion: AssertionForm) => void;
}

function AssertionFields(props: FieldsProps) {
  const { assertion, index, shops, onAssertion } = props;
  const { claim, value, when, options } = assertion;
  const errors = useFieldErrors();
  const path = `assertions[${index}]`;
  return (
    <>
      <h4>Payments</h4>
      <ConditionFields
        name={`assertions[${index}]`}
        path={`${path}.when`}
        condition={when}
        onChange={(changed) => onAssertion({ ...assertion, when: changed })}
      />
      <AccountOptions
        options={options}
        shops={shops}
        onChange={(changed) => onAssertion({ ...assertion, options: changed })}
        name={path}
        empty="About payments that name no accounts."
        errorOf={(field) => errors.get(`${path}.payment_method.${field}`)}
      />
      <div className="columns-2">
        <Select
          label="Must"
          options={CLAIMS}
          value={claim}
          onChange={({ target }) => onAssertion({ ...assertion, ...newClaim(target.value as Claim, props) })}
        />
        {claim === 'never' ? (
          <ShopSelect {...props} path={`${path}.never`} />
        ) : (
          <NumberField
            label={claim === 'at_least' ? 'Number of shops' : 'Number of attempts'}
            path={`${path}.${claim}`}
            value={value}
            onChange={(changed) => onAssertion({ ...assertion, value: changed })}
          />
        )}
      </div>
      <Violation
        {...props}
        path={path}
        shown={[`${path}.when`, `${path}.payment_method.options`, `${path}.${claim}`]}
      />
    </>
  );
}

function ShopSelect({ form, shops, nameOf, assertion, onAssertion, path }: FieldsProps & { path: string }) {
  const known = new Set([...form.shops.map(({ shopId }) => shopId), ...shops.keys()]);
  if (typeof assertion.value === 'number') known.add(assertion.value);
  return (
    <Select
      label="Shop"
      options={[...known].map((id) => ({ value: String(id), label: nameOf(id) }))}
      value={String(assertion.value ?? '')}
      error={useFieldError(path)}
      onChange={({ target }) => onAssertion({ ...assertion, value: Number(target.value) })}
    />
  );
}

/** The API's messages about the assertion, and a button that tries the violating payment. */
function Violation({ path, shown, onTry }: FieldsProps & { path: string; shown: string[] }) {
  const message = useFieldError(path);
  const payment = message === undefined ? undefined : counterexampleOf(message);
  if (!payment) return <OtherErrors field={path} shown={shown} />;
  return (
    <div className="notice notice-bad">
      <p>{message}</p>
      <Button onClick={() => onTry(payment)}>Try it in the simulator</Button>
    </div>
  );
}

const newClaim = (claim: Claim, { form }: FormProps): Pick<AssertionForm, 'claim' | 'value'> => ({
  claim,
  value: claim === 'never' ? form.shops[0]?.shopId : 1,
});

const newAssertion = (): AssertionForm => ({
  key: newKey(),
  when: group('every', []),
  options: [],
  claim: 'at_least',
  value: 1,
});
