import { useId, useState } from 'react';
import { Button } from '../../../ui/button';

interface Props {
  legend: string;
  shops: readonly { id: number; name: string }[];
  chosen: readonly number[];
  onChange: (chosen: number[]) => void;
  error?: string | undefined;
  /** Shown when there are no shops. */
  empty: string;
}

/** More shops are shown only on request: a form with 100 rules of 300 shops each would be slow. */
const SHOWN = 24;

/** A choice of shops, kept in the order in which they were selected. */
export function ShopChecks({ legend, shops, chosen, onChange, error, empty }: Props) {
  const note = useId();
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen || shops.length <= SHOWN ? shops : shops.filter(({ id }) => chosen.includes(id));
  const toggle = (id: number): void =>
    onChange(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <fieldset className="shop-checks" aria-describedby={error === undefined ? undefined : note}>
      <legend>{legend}</legend>
      {shops.length === 0 && <p className="muted small">{empty}</p>}
      <div className="shop-checks-list">
        {shown.map(({ id, name }) => (
          <label key={id} className="check">
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            <bdi className="truncate" title={name}>
              {name}
            </bdi>
          </label>
        ))}
      </div>
      {shown.length < shops.length && (
        <Button variant="quiet" onClick={() => setOpen(true)}>
          Show all {shops.length} shops
        </Button>
      )}
      {error !== undefined && (
        <p id={note} className="field-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}
