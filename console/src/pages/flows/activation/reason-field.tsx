import { TextArea } from '../../../ui/field';

interface Props {
  value: string;
  onChange: (reason: string) => void;
  error?: string | undefined;
}

const LONGEST = 500;

/** Why a version becomes active or stops. It is optional. */
export const ReasonField = ({ value, onChange, error }: Props) => (
  <TextArea
    label="Reason"
    hint="Optional. Everyone who reads the versions or the audit log sees it"
    rows={2}
    maxLength={LONGEST}
    value={value}
    error={error}
    onChange={({ target }) => onChange(target.value)}
  />
);
