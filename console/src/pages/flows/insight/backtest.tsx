import { ProblemError, type Schema } from '@payment-orchestrator/client';
import { useState } from 'react';
import { api } from '../../../api/client';
import { Card } from '../../../ui/card';
import { Select } from '../../../ui/field';
import { PageLoading } from '../../../ui/loading';
import { percentText } from '../../../ui/percent';
import type { ShopNames } from '../flow-queries';
import type { Definition } from '../model/form';
import { ApprovalView } from './approval-view';
import { ExamplesView } from './examples-view';
import { LiveNotice } from './live-notice';
import { MovesView } from './moves-view';
import { SharesView } from './shares-view';
import { useLive } from './use-live';
import { countOf } from './texts';

interface Props {
  flowId: number;
  definition: Definition;
  nameOf: ShopNames;
}

const LIMITS = [1_000, 10_000, 100_000];

/** Shows how the draft would have routed the flow's last payments. */
export function Backtest({ flowId, definition, nameOf }: Props) {
  const [limit, setLimit] = useState(10_000);
  const live = useLive({ flowId, definition, limit }, backtest);
  const { result, ms, isBusy, error } = live;
  return (
    <Card
      title="Backtest"
      actions={
        <span className="small muted number" role="status" data-busy={isBusy || undefined}>
          {isBusy ? 'Running …' : ms !== undefined && !error && `Updated in ${countOf(Math.round(ms))} ms`}
        </span>
      }
    >
      <Select
        label="Payments to test"
        options={LIMITS.map((count) => ({ value: String(count), label: `Last ${countOf(count)} payments` }))}
        value={String(limit)}
        onChange={({ target }) => setLimit(Number(target.value))}
      />
      <LiveNotice live={live} />
      {!result && !error && <PageLoading />}
      {result && (
        <div className={error instanceof ProblemError ? 'stack stale' : 'stack'}>
          <Result result={result} nameOf={nameOf} />
        </div>
      )}
    </Card>
  );
}

function Result({ result, nameOf }: { result: Schema<'ReplayResult'>; nameOf: ShopNames }) {
  const { payments, changed, without_shop: refused } = result;
  if (payments === 0) {
    return <p className="muted">The flow has routed no payments yet, so there is nothing to test the draft with.</p>;
  }
  return (
    <>
      <p className="backtest-summary">
        <strong>{percentText(changed / payments)}</strong> of {countOf(payments)} payments would go to another shop
        {refused > 0 && <span className="bad-text">, {countOf(refused)} of them to no shop</span>}.
      </p>
      <SharesView shops={result.shops} />
      <ApprovalView approval={result.approval} />
      <MovesView result={result} nameOf={nameOf} />
      <ExamplesView differences={result.differences} nameOf={nameOf} />
    </>
  );
}

interface Request {
  flowId: number;
  definition: Definition;
  limit: number;
}

async function backtest(
  { flowId: id, definition, limit }: Request,
  signal: AbortSignal,
): Promise<Schema<'ReplayResult'>> {
  const init = { params: { path: { id } }, body: { definition, limit, seed: 1 }, signal };
  return (await api.post('/flows/{id}/replay', init)).data;
}
