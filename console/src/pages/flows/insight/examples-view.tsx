import type { Schema } from '@payment-orchestrator/client';
import { PageLink } from '../../../ui/page-link';
import { Money, Time } from '../../../ui/values';
import type { ShopNames } from '../flow-queries';

interface Props {
  differences: readonly Schema<'Difference'>[];
  nameOf: ShopNames;
}

/** Examples of payments that would go to another shop. */
export function ExamplesView({ differences, nameOf }: Props) {
  if (differences.length === 0) return null;
  return (
    <details>
      <summary>Examples of these payments</summary>
      <ul className="examples">
        {differences.map(
          ({
            payment_id: id,
            amount,
            currency,
            country,
            created_at,
            from_shop_id: from,
            to_shop_id: to,
            explanation,
          }) => (
            <li key={id}>
              <PageLink to={`/payments/${id}`}>{id}</PageLink>
              <span className="small muted">
                <Money amount={amount} currency={currency} /> {country} <Time value={created_at} />
              </span>
              <span className="small">
                <bdi>{from === null ? 'declined' : nameOf(from)}</bdi> →{' '}
                <bdi>{to !== null ? nameOf(to) : explanation.declined ? 'declined' : 'no shop'}</bdi>
              </span>
            </li>
          ),
        )}
      </ul>
    </details>
  );
}
