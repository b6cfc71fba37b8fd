import type { Schema } from '@payment-orchestrator/client';
import { ruleTitle } from '@payment-orchestrator/routing/words/target-words';
import { Button } from '../../../ui/button';
import type { ShopNames } from '../flow-queries';
import type { Definition } from '../model/form';
import { failuresOf, reasonOf, versionOf } from './texts';

interface Props {
  simulation: Schema<'FlowSimulation'>;
  definition: Definition;
  nameOf: ShopNames;
  onApply: (field: string, to: unknown) => void;
}

/** The chosen shop and the reason, the next shops, and for each other shop the change that would choose it. */
export function SimulationView({ simulation, definition, nameOf, onApply }: Props) {
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
            <NoShop declined={result.declined} isRefused={explanation?.refused} />
          )}
        </p>
        {explanation && <Why explanation={explanation} definition={definition} nameOf={nameOf} />}
      </div>
      {shop && explanation && (
        <Attempts
          shops={[shop.shop_id, ...explanation.fallbacks]}
          attempts={definition.max_attempts ?? 1}
          nameOf={nameOf}
        />
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

interface NoShopProps extends Pick<Schema<'SimulationResult'>, 'declined'> {
  isRefused: boolean | undefined;
}

function NoShop({ declined, isRefused }: NoShopProps) {
  if (!declined) return isRefused ? 'Refused: no shop of the rule takes this payment' : 'No shop takes this payment';
  return (
    <>
      Declined with <code>{declined.code}</code>
      {declined.message !== null && (
        <>
          : <bdi>{declined.message}</bdi>
        </>
      )}
    </>
  );
}

/** A summary that shows excluded shops even while the details are closed. */
function othersIn(others: readonly Schema<'ExplainedShop'>[]): string {
  const excluded = others.filter((other) => failuresOf(other).length > 0).length;
  const parts = [
    excluded > 0 && `${excluded} excluded`,
    excluded < others.length && `${others.length - excluded} not chosen`,
  ];
  return `Other shops: ${parts.filter(Boolean).join(', ')}`;
}

interface WhyProps extends Pick<Props, 'definition' | 'nameOf'> {
  explanation: Schema<'Explanation'>;
}

function Why({ explanation, definition, nameOf }: WhyProps) {
  const { rule, passed_over: passedOver, reasoning, least_bad: isLeastBad, probed, rollout } = explanation;
  const titleOf = (index: number): string => ruleTitle(definition.rules?.[index] ?? {}, index);
  const decides = rule === null ? undefined : rule === 'default' ? 'The default applies' : `${titleOf(rule)} applies`;
  const parts = [
    rollout && versionOf(rollout),
    ...passedOver.map((index) => `${titleOf(index)} matches, but none of its shops takes the payment`),
    decides,
    reasoning && reasonOf(reasoning),
    isLeastBad && 'No shop is healthy, so the shop with the fewest failures is chosen',
    probed &&
      `${nameOf(probed.shop_id)} is recovering and ${probed.let_through ? 'got' : 'did not get'} this payment as a trial`,
  ].filter(Boolean);
  return parts.length === 0 ? null : <p className="small">{parts.join('. ')}.</p>;
}

/** The shops in the order of the attempts, up to the flow's maximum. */
function Attempts({ shops, attempts, nameOf }: { shops: number[]; attempts: number; nameOf: ShopNames }) {
  const tried = shops.slice(0, attempts);
  if (tried.length < 2) {
    return <p className="small muted">One attempt: after a failure, no other shop is tried.</p>;
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
          {failures.length === 0 ? 'possible, but not chosen' : `excluded: ${failures.join(', ')}`}
        </span>
      </p>
      {change ? (
        <p className="small change">
          <span>
            Smallest change: <code>{change.field}</code> {shown(change.from)} → <strong>{shown(change.to)}</strong>
          </span>
          <Button
            variant="quiet"
            aria-label={`Apply the change for ${nameOf(shop.shop_id)}`}
            onClick={() => onApply(change.field, change.to)}
          >
            Apply
          </Button>
        </p>
      ) : (
        <p className="small muted">No single change was found that would choose this shop.</p>
      )}
    </li>
  );
}

const shown = (value: unknown): string => (value === null ? 'not set' : JSON.stringify(value));
