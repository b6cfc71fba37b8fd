import { Select, TextField } from '../../../ui/field';
import type { DeclineForm, Otherwise, RuleForm } from '../model/form';
import { OtherErrors, useFieldError } from './errors-context';
import { UseFields } from './use-fields';

interface Props {
  rule: RuleForm;
  path: string;
  /** The shops of the flow. */
  members: readonly { id: number; name: string }[];
  onChange: (rule: RuleForm) => void;
}

const ENDS = [
  { value: 'use', label: 'send them to shops' },
  { value: 'decline', label: 'decline them' },
];

const OTHERWISE = [
  { value: 'next', label: 'try the next rule, at last the default' },
  { value: 'refuse', label: 'refuse it' },
];

/** The end of a rule: its payments go to shops, or are declined. */
export function RuleEnd({ rule, path, members, onChange }: Props) {
  const { use, otherwise, decline } = rule;
  return (
    <>
      <h4>Then</h4>
      <Select
        label="Payments that match"
        options={ENDS}
        value={decline ? 'decline' : 'use'}
        onChange={({ target }) => onChange({ ...rule, decline: target.value === 'decline' ? NEW : undefined })}
      />
      {decline ? (
        <DeclineFields
          decline={decline}
          path={`${path}.decline`}
          onChange={(changed) => onChange({ ...rule, decline: changed })}
        />
      ) : (
        <>
          <UseFields
            use={use}
            path={`${path}.use`}
            members={members}
            onChange={(changed) => onChange({ ...rule, use: changed })}
          />
          <Select
            label="If none of these shops can take a payment"
            options={OTHERWISE}
            value={otherwise}
            onChange={({ target }) => onChange({ ...rule, otherwise: target.value as Otherwise })}
          />
        </>
      )}
      <OtherErrors
        field={path}
        shown={[`${path}.name`, `${path}.when`, ...shownOf(decline).map((field) => `${path}.${field}`)]}
      />
    </>
  );
}

const NEW: DeclineForm = { code: '', message: '' };

const shownOf = (decline: DeclineForm | undefined): string[] =>
  decline ? ['decline.code', 'decline.message'] : ['use.shops', 'use.strategy', 'use.success_rate'];

interface DeclineProps {
  decline: DeclineForm;
  path: string;
  onChange: (decline: DeclineForm) => void;
}

function DeclineFields({ decline, path, onChange }: DeclineProps) {
  return (
    <>
      <p className="muted small">No shop is asked. The payment fails at once.</p>
      <div className="columns-2">
        <TextField
          label="Decline code"
          hint="Your own code, such as blocked_country."
          value={decline.code}
          error={useFieldError(`${path}.code`)}
          onChange={({ target }) => onChange({ ...decline, code: target.value })}
        />
        <TextField
          label="Message"
          hint="Optional, for people."
          maxLength={200}
          value={decline.message}
          error={useFieldError(`${path}.message`)}
          onChange={({ target }) => onChange({ ...decline, message: target.value })}
        />
      </div>
    </>
  );
}
