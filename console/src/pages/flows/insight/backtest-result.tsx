import type { Schema } from '@payment-orchestrator/client';
import { percentText } from '../../../ui/percent';
import type { ShopNames } from '../flow-queries';
import { ApprovalView } from './approval-view';
import { CostsView } from './costs-view';
import { ExamplesView } from './examples-view';
import { MovesView } from './moves-view';
import { SharesView } from './shares-view';
import { countOf, lacksOf } from './texts';

interface Props {
  result: Schema<'ReplayResult'>;
  nameOf: ShopNames;
  /** Whether details about single moves are closed at first. */
  isBrief?: boolean;
}

/** How past payments would have gone to other shops, and what that would have changed. */
export function BacktestResult({ result, nameOf, isBrief = false }: Props) {
  const { payments, changed, without_shop: refused } = result;
  if (payments === 0) {
    return (
      <p className="muted">
        The flow has routed no payments yet. A backtest needs some, and its estimate of approvals about 30 with an
        outcome for each shop. Until then, try single payments in the simulator, or roll the draft out to a part.
      </p>
    );
  }
  const moves = (
    <>
      <MovesView result={result} nameOf={nameOf} />
      <ExamplesView differences={result.differences} nameOf={nameOf} />
    </>
  );
  return (
    <>
      <p className="backtest-summary">
        <strong>{percentText(changed / payments)}</strong> of {countOf(payments)} payments would go to another shop
        {refused > 0 && <span className="bad-text">, {countOf(refused)} of them to no shop</span>}.
      </p>
      <SharesView shops={result.shops} />
      <ApprovalView approval={result.approval} />
      {lacksOf(result).map((lack) => (
        <p key={lack} className="notice">
          <bdi dir="ltr">{lack}</bdi>
        </p>
      ))}
      <CostsView costs={result.costs} />
      {isBrief && changed > 0 ? (
        <details>
          <summary>From which shop to which shop</summary>
          <div className="stack">{moves}</div>
        </details>
      ) : (
        moves
      )}
    </>
  );
}
