import { useId } from 'react';

interface Props {
  /** The stored value, without secrets. */
  stored: string;
  keeps: boolean;
  onChange: (keeps: boolean) => void;
}

/** Whether stored secrets stay. They are never shown, so they can only be replaced as a whole. */
export function KeepOrReplace({ stored, keeps, onChange }: Props) {
  const name = useId();
  return (
    <>
      <label className="check">
        <input type="radio" name={name} checked={keeps} onChange={() => onChange(true)} />
        <span>
          Keep: <code>{stored}</code>
        </span>
      </label>
      <label className="check">
        <input type="radio" name={name} checked={!keeps} onChange={() => onChange(false)} />
        Replace or remove
      </label>
    </>
  );
}
