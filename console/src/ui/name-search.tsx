import { FilterText } from './filter-text';

interface Props {
  /** The searched objects, such as `flows`. */
  kind: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A search for a part of the name, by the API. */
export const NameSearch = ({ kind, value, onChange }: Props) => (
  <div className="filters" role="search">
    <FilterText label={`Find ${kind}`} placeholder="Part of a name" value={value} onChange={onChange} />
  </div>
);
