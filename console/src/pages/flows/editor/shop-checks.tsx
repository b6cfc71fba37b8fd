import { useId } from 'react';

interface Props {
  legend: string;
  shops: readonly { id: number; name: string }[];
  chosen: readonly number[];
  onChange: (chosen: number[]) => void;
  error?: string | undefined;
  /** What is said when there are none to choose from. */
  empty: string;
}

/** Some of many shops, in the order in which they were chosen. */
export function ShopChecks({ legend, shops, chosen, onChange, error, empty }: Props) {
  const note = useId();
  const toggle = (id: number): void =>
    onChange(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <fieldset className="shop-checks" aria-describedby={error === undefined ? undefined : note}>
      <legend>{legend}</legend>
      {shops.length === 0 && <p className="muted small">{empty}</p>}
      <div className="shop-checks-list">
        {shops.map(({ id, name }) => (
          <label key={id} className="check">
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            <bdi className="truncate" title={name}>
              {name}
            </bdi>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p id={note} className="field-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}
