import { FilterText } from './filter-text';

interface Props {
  /** Of what: `flows`. */
  of: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** Finds by a part of the name, in a list that the API searches. */
export const NameSearch = ({ of, value, onChange }: Props) => (
  <div className="filters" role="search">
    <FilterText label={`Find ${of}`} placeholder="Part of a name" value={value} onChange={onChange} />
  </div>
);
