import type { Schema } from '@payment-orchestrator/client';
import { Select } from '../../../ui/field';
import { errorsWithin } from '../model/field-errors';
import { useFieldError, useFieldErrors } from './errors-context';

type Options = Schema<'SuccessRate'>;
type SegmentField = Schema<'SegmentField'>;

/** A missing or additional field does not compile. */
const FIELD_LABELS: Readonly<Record<SegmentField, string>> = {
  'card.scheme': 'card scheme',
  'card.funding': 'card funding',
  'card.issuer_country': 'issuer country',
  'card.bin': 'first 6 digits (BIN)',
  country: 'country',
  currency: 'currency',
};
const FIELDS = Object.entries(FIELD_LABELS).map(([value, label]) => ({ value, label }));
const NONE = '';

const OBJECTIVES = [
  { value: 'approvals', label: 'approvals' },
  { value: 'margin', label: 'margin' },
];

interface Props {
  options: Options | undefined;
  /** `success_rate`, or that of a rule. */
  path: string;
  onChange: (options: Options | undefined) => void;
}

/** The options of the strategy `success_rate`. */
export function SuccessRateFields({ options = {}, path, onChange }: Props) {
  const [first, second] = options.by ?? [];
  const [error] = errorsWithin(useFieldErrors(), `${path}.by`);
  const change = (part: Partial<Options>): void => onChange(given({ ...options, ...part }));
  const choose = (...chosen: (string | undefined)[]): void => change({ by: chosen.filter(Boolean) as SegmentField[] });
  return (
    <div className="columns-2">
      <Select
        label="Compare shops by"
        options={[{ value: NONE, label: 'all payments' }, ...FIELDS]}
        value={first ?? NONE}
        hint="In each segment, shops are compared by their approval rates there"
        error={error}
        onChange={({ target }) => choose(target.value, target.value && target.value !== second ? second : undefined)}
      />
      {first !== undefined && (
        <Select
          label="And by"
          options={[{ value: NONE, label: 'nothing else' }, ...FIELDS.filter(({ value }) => value !== first)]}
          value={second ?? NONE}
          hint="While a segment has few payments, the first field decides"
          onChange={({ target }) => choose(first, target.value)}
        />
      )}
      <Select
        label="Objective"
        options={OBJECTIVES}
        value={options.objective ?? 'approvals'}
        hint="Margin: the approval rate times the share of the amount that is left after the shop’s fee"
        error={useFieldError(`${path}.objective`)}
        onChange={({ target }) => change({ objective: target.value as Options['objective'] })}
      />
    </div>
  );
}

/** Options that are left out have their defaults. */
function given({ by = [], objective }: Options): Options | undefined {
  if (by.length === 0 && (objective === undefined || objective === 'approvals')) return undefined;
  return { ...(by.length > 0 && { by }), ...(objective !== undefined && { objective }) };
}
