import type { Schema } from '@payment-orchestrator/client';
import { money } from '../../../ui/money';
import { countOf } from './texts';

type Cost = Schema<'Cost'>;

/** The fees of the payments, before and with the draft, by currency. */
export function CostsView({ costs }: { costs: readonly Cost[] }) {
  const known = costs.filter(({ payments }) => payments > 0);
  const unknown = costs.reduce((sum, { without_fees: count }) => sum + count, 0);
  if (known.length === 0)
    return <p className="small muted">Costs are unknown, because the shops of these payments have no fees.</p>;
  return (
    <div className="shares">
      <table>
        <caption>Fees, before and after</caption>
        <thead>
          <tr>
            <th scope="col">Before</th>
            <th scope="col">After</th>
            <th scope="col">Difference</th>
          </tr>
        </thead>
        <tbody>
          {known.map(({ currency, before, after, difference }) => (
            <tr key={currency}>
              <td className="number">{money(before, currency)}</td>
              <td className="number">{money(after, currency)}</td>
              <td className={`number ${difference > 0 ? 'bad-text' : difference < 0 ? 'good-text' : 'muted'}`}>
                {difference > 0 && '+'}
                {money(difference, currency)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {unknown > 0 && <p className="small muted">Without {countOf(unknown)} payments whose fees are unknown.</p>}
    </div>
  );
}
