import type { Schema } from '@payment-orchestrator/client';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '../../../ui/button';
import { percentText } from '../../../ui/percent';
import { countOf, pointsOf } from './texts';
import type { Live } from './use-live';

interface Props {
  simulation: Live<Schema<'FlowSimulation'>>;
  backtest: Live<Schema<'ReplayResult'>>;
  /** The simulator and the backtest. */
  children: ReactNode;
}

/**
 * The results for the draft stay in view while the form is edited. In a wide window they are in a column of their own. In a
 * narrow one they are a bar at the bottom, which opens over the form, so that the edited field keeps its place.
 */
export function PreviewPanel({ simulation, backtest, children }: Props) {
  const id = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape' || !isOpen) return;
    setOpen(false);
    toggle.current!.focus();
  };
  return (
    <aside
      className="flow-insight"
      aria-label="Preview of the draft"
      data-open={isOpen || undefined}
      onKeyDown={onKeyDown}
    >
      <div className="preview-bar">
        <dl className="preview-results">
          <div className={simulation.error ? 'stale' : undefined}>
            <dt>Simulator</dt>
            <dd>{simulation.result && <Pick {...simulation.result.result} />}</dd>
          </div>
          <div className={backtest.error ? 'stale' : undefined}>
            <dt>Backtest</dt>
            <dd className="number">{backtest.result && <Moves {...backtest.result} />}</dd>
          </div>
        </dl>
        <span className="preview-toggle">
          <Button ref={toggle} aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Preview'}
          </Button>
        </span>
      </div>
      <div id={id} className="preview-body">
        {children}
      </div>
    </aside>
  );
}

const Pick = ({ primary_shop: shop }: Schema<'FlowSimulation'>['result']) =>
  shop ? <bdi>{shop.shop_name}</bdi> : <span className="bad-text">no shop</span>;

function Moves({ payments, changed, without_shop: refused, approval: { difference } }: Schema<'ReplayResult'>) {
  if (payments === 0) return <span className="muted">no payments yet</span>;
  return (
    <>
      {percentText(changed / payments)} change shops
      {refused > 0 && <span className="bad-text">, {countOf(refused)} to no shop</span>}
      {difference && changed > 0 && <>, approval rate {pointsOf(difference.estimate)} points</>}
    </>
  );
}
