import type { Schema } from '@payment-orchestrator/client';
import type { CSSProperties } from 'react';
import { Card } from '../../ui/card';
import { percentText } from '../../ui/percent';
import { Name } from '../../ui/values';
import { type ApprovalsSearch, type Field, FIELD_LABELS } from './approvals-search';
import { type HeatMap, heatMapOf, overallRate, strengthOf } from './heat-map';
import { changeText } from './change-text';

type Answer = Schema<'SegmentApprovals'>;
type Cell = Answer['cells'][number];

interface Props {
  answer: Answer;
  fields: Field[];
  search: ApprovalsSearch;
  onChoose: (search: ApprovalsSearch) => void;
}

/** One row per value, one column per shop. A cell is coloured by its difference from the rate of all cells. */
export function HeatMapCard({ answer, fields, search, onChoose }: Props) {
  const map = heatMapOf(answer.cells, fields);
  const overall = overallRate(answer.cells);
  return (
    <Card title={`Approval rates by ${fields.map((field) => FIELD_LABELS[field].toLowerCase()).join(' and ')}`} isFlush>
      <div className="heat-map-frame" role="region" aria-label="Heat map" tabIndex={0}>
        <table className="heat-map">
          <caption className="small muted">
            {percentText(overall)} of all attempts below were approved. Green is better, red is worse, by up to ten
            points. Below each rate: the attempts, and the change in points since the period before. Changes in bold are
            more than chance: at most 5 % of them are not.
          </caption>
          <Head shops={map.shops} fields={fields} />
          <tbody>
            {map.rows.map(({ key, values, cells }) => (
              <tr key={key}>
                {values.map((value, index) => (
                  <th key={fields[index]} scope="row">
                    {value ?? <span className="muted">unknown</span>}
                  </th>
                ))}
                {map.shops.map(({ id, name }) => (
                  <MapCell
                    key={id}
                    cell={cells.get(id)}
                    overall={overall}
                    label={`${values.map((value) => value ?? 'unknown').join(', ')} at ${name}`}
                    isChosen={isChosen(search, id, values)}
                    onChoose={() => onChoose(choosing(search, id, values))}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {answer.is_truncated && (
        <p className="small muted heat-map-note">Only the first {answer.cells.length} cells. Choose one shop.</p>
      )}
    </Card>
  );
}

const Head = ({ shops, fields }: { shops: HeatMap<Cell>['shops']; fields: Field[] }) => (
  <thead>
    <tr>
      {fields.map((field) => (
        <th key={field} scope="col">
          {FIELD_LABELS[field]}
        </th>
      ))}
      {shops.map(({ id, name }) => (
        <th key={id} scope="col">
          <Name value={name} />
        </th>
      ))}
    </tr>
  </thead>
);

interface CellProps {
  cell: Cell | undefined;
  overall: number;
  /** The segment and the shop, for screen readers. */
  label: string;
  isChosen: boolean;
  onChoose: () => void;
}

function MapCell({ cell, overall, label, isChosen, onChoose }: CellProps) {
  if (!cell) return <td className="heat-map-none">–</td>;
  const { approval_rate: rate, attempts, change, is_significant: isSignificant } = cell;
  const strength = rate ? strengthOf(rate.estimate, overall) : 0;
  const style = { '--strength': `${Math.round(Math.abs(strength) * 100)}%` } as CSSProperties;
  return (
    <td>
      <button
        type="button"
        className={`heat-map-cell ${strength < 0 ? 'is-worse' : 'is-better'}`}
        style={style}
        aria-pressed={isChosen}
        onClick={onChoose}
      >
        <span className="visually-hidden">{label}: </span>
        <span className="heat-map-rate">{rate ? percentText(rate.estimate) : '–'}</span>
        <span className="small">
          of {attempts.toLocaleString('en')}
          {change && (
            <>
              {' · '}
              {isSignificant ? <strong>{changeText(change.estimate)}</strong> : changeText(change.estimate)}
            </>
          )}
        </span>
      </button>
    </td>
  );
}

const isChosen = ({ cell, value, and_value: and }: ApprovalsSearch, shop: number, values: (string | null)[]): boolean =>
  cell === shop && value === (values[0] ?? '') && (values.length === 1 || and === (values[1] ?? ''));

const choosing = (search: ApprovalsSearch, shop: number, values: (string | null)[]): ApprovalsSearch => ({
  ...search,
  cell: shop,
  value: values[0] ?? '',
  ...(values.length > 1 && { and_value: values[1] ?? '' }),
});
