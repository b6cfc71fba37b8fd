import type { Schema } from '@payment-orchestrator/client';
import { currencyDigits } from '../../../ui/currency-digits';
import { countOf } from './texts';

type Cost = Schema<'Cost'>;

/** The fees of the payments before and with the draft, by currency; nothing if no shop has fees. */
export function CostView({ costs }: { costs: readonly Cost[] }) {
  const known = costs.filter(({ payments }) => payments > 0);
  if (known.length === 0) return null;
  const withoutFees = costs.reduce((sum, { without_fees: payments }) => sum + payments, 0);
  return (
    <div className="shares">
      <table>
        <caption>Fees of the providers, before and after</caption>
        <thead>
          <tr>
            <th scope="col">Currency</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
            <th scope="col">
              <abbr title="Difference">±</abbr>
            </th>
          </tr>
        </thead>
        <tbody>
          {known.map(({ currency, before, after, difference }) => (
            <tr key={currency}>
              <th scope="row">{currency}</th>
              <td className="number">{format(before, currency)}</td>
              <td className="number">{format(after, currency)}</td>
              <td className="number">{format(difference, currency, 'exceptZero')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small muted">
        By the fees of now, as if the first shop charged every payment.
        {withoutFees > 0 && ` ${countOf(withoutFees)} payments without a known fee are left out.`}
      </p>
    </div>
  );
}

function format(amount: number, currency: string, signDisplay: 'auto' | 'exceptZero' = 'auto'): string {
  const digits = currencyDigits(currency);
  const precise = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(undefined, { ...precise, signDisplay }).format(amount);
}
