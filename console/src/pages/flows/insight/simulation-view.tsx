import type { Schema } from '@payment-orchestrator/client';
import { Button } from '../../../ui/button';
import type { ShopNames } from '../flow-queries';
import { failuresOf, reasonOf } from './words';

interface Props {
  simulation: Schema<'FlowSimulation'>;
  /** How many shops a payment is tried with at most. */
  attempts: number;
  nameOf: ShopNames;
  onApply: (field: string, to: unknown) => void;
}

/** Which shop and why, who would be tried next, and what would have picked each of the others. */
export function SimulationView({ simulation, attempts, nameOf, onApply }: Props) {
  const { explanation, result } = simulation;
  const shop = result.primary_shop;
  const others = explanation?.shops.filter(({ picked }) => !picked) ?? [];
  return (
    <div className="stack">
      <div className={shop ? 'pick' : 'pick pick-none'}>
        <p className="pick-shop" role="status">
          {shop ? (
            <>
              Goes to{' '}
              <strong>
                <bdi>{shop.shop_name}</bdi>
              </strong>
            </>
          ) : (
            'No shop takes this payment'
          )}
        </p>
        {explanation && <Why explanation={explanation} nameOf={nameOf} />}
      </div>
      {shop && explanation && (
        <Attempts shops={[shop.shop_id, ...explanation.fallbacks]} attempts={attempts} nameOf={nameOf} />
      )}
      {others.length > 0 && (
        <details open={!shop || undefined}>
          <summary>{othersIn(others)}</summary>
          <ul className="others">
            {others.map((other) => (
              <Other key={other.shop_id} shop={other} nameOf={nameOf} onApply={onApply} />
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** So that what is left out is seen without opening it. */
function othersIn(others: readonly Schema<'ExplainedShop'>[]): string {
  const leftOut = others.filter((other) => failuresOf(other).length > 0).length;
  const parts = [
    leftOut > 0 && `${leftOut} left out`,
    leftOut < others.length && `${others.length - leftOut} not picked`,
  ];
  return `Why not the others: ${parts.filter(Boolean).join(', ')}`;
}

function Why({ explanation, nameOf }: { explanation: Schema<'Explanation'>; nameOf: ShopNames }) {
  const { rule, reasoning, least_bad: isLeastBad, probed } = explanation;
  const decides = rule === null ? undefined : rule === 'default' ? 'The default decides' : `rules[${rule}] decides`;
  const parts = [
    decides,
    reasoning && reasonOf(reasoning),
    isLeastBad && 'No shop is healthy: the one with the fewest failures',
    probed &&
      `${nameOf(probed.shop_id)} is on its way back to health and ${probed.let_through ? 'got' : 'did not get'} its turn`,
  ].filter(Boolean);
  return parts.length === 0 ? null : <p className="small">{parts.join('. ')}.</p>;
}

/** The order in which shops are tried, as far as the flow's attempts reach. */
function Attempts({ shops, attempts, nameOf }: { shops: number[]; attempts: number; nameOf: ShopNames }) {
  const tried = shops.slice(0, attempts);
  if (tried.length < 2) {
    return <p className="small muted">One attempt: a payment that fails is not tried with another shop.</p>;
  }
  return (
    <div>
      <h3>Attempts</h3>
      <ol className="attempts">
        {tried.map((id) => (
          <li key={id}>
            <bdi>{nameOf(id)}</bdi>
          </li>
        ))}
      </ol>
    </div>
  );
}

interface OtherProps extends Pick<Props, 'nameOf' | 'onApply'> {
  shop: Schema<'ExplainedShop'>;
}

function Other({ shop, nameOf, onApply }: OtherProps) {
  const failures = failuresOf(shop);
  const { smallest_change: change } = shop;
  return (
    <li>
      <p>
        <strong>
          <bdi>{nameOf(shop.shop_id)}</bdi>
        </strong>{' '}
        <span className="muted">
          {failures.length === 0 ? 'might have been picked' : `is left out: ${failures.join(', ')}`}
        </span>
      </p>
      {change ? (
        <p className="small change">
          <span>
            Smallest change: <code>{change.field}</code> {shown(change.from)} → <strong>{shown(change.to)}</strong>
          </span>
          <Button
            variant="quiet"
            aria-label={`Try it for ${nameOf(shop.shop_id)}`}
            onClick={() => onApply(change.field, change.to)}
          >
            Try it
          </Button>
        </p>
      ) : (
        <p className="small muted">No single change is known that would pick it.</p>
      )}
    </li>
  );
}

const shown = (value: unknown): string => (value === null ? 'left out' : JSON.stringify(value));
