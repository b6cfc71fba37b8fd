import { PageLoading } from '../../../ui/loading';
import { MissingRight } from '../../../ui/missing-right';
import { ProblemNotice } from '../../../ui/problem-notice';
import { useCan } from '../../../api/session';
import type { ShopNames } from '../flow-queries';
import { BacktestResult } from '../insight/backtest-result';
import { useBacktest } from '../insight/use-backtest';
import type { Definition } from '../model/form';

interface Props {
  flowId: number;
  definition: Definition;
  nameOf: ShopNames;
}

/** The backtest of a definition before it becomes active. */
export function CandidateBacktest({ flowId, definition, nameOf }: Props) {
  const mayTry = useCan('flows:simulate');
  const { live } = useBacktest(flowId, definition, mayTry);
  return (
    <section className="stack" aria-label="Backtest of the version">
      <h3>With the last payments</h3>
      {!mayTry && (
        <p className="muted">
          There is no backtest. <MissingRight scope="flows:simulate" />
        </p>
      )}
      {mayTry && !live.result && !live.error && <PageLoading />}
      <ProblemNotice error={live.error} retry={live.again} />
      {live.result && <BacktestResult result={live.result} nameOf={nameOf} isBrief />}
    </section>
  );
}
