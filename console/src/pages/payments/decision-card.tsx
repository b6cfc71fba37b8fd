import type { Schema } from '@payment-orchestrator/client';
import { useShops } from '../../api/use-shops';
import { Card } from '../../ui/card';
import { FlowName } from '../../ui/flow-name';
import { explain } from './decision';

interface Props {
  decision: Schema<'PaymentDecision'> | null;
  attempts: Schema<'PaymentAttempt'>[];
  flowId: number;
}

export function DecisionCard({ decision, attempts, flowId }: Props) {
  const nameOf = useShopNames(attempts);
  if (decision === null)
    return (
      <Card title="Decision">
        <p className="muted">None was stored with this payment.</p>
      </Card>
    );
  const { reason, notes, leftOut, fallbacks } = explain(decision, nameOf);
  const version = decision.flow_version === null ? '' : `, version ${decision.flow_version}`;
  return (
    <Card title="Decision" actions={<FlowName id={flowId} note={version} />}>
      <p>
        <strong>
          <bdi dir="ltr">{reason}</bdi>
        </strong>
      </p>
      <p className="small muted">
        Strategy <code>{decision.strategy}</code>, over {decision.shops.length} shops.
      </p>
      {notes.map((note) => (
        <p key={note}>
          <bdi dir="ltr">{note}</bdi>
        </p>
      ))}
      {attempts.length > 1 && (
        <p>
          It went on to{' '}
          <bdi>
            {attempts
              .slice(1)
              .map(({ shop }) => shop.name)
              .join(', ')}
          </bdi>
          : see the attempts.
        </p>
      )}
      {leftOut.length > 0 && (
        <div>
          <h3>Left out</h3>
          <ul className="decision-list">
            {leftOut.map(({ shopId, why }) => (
              <li key={shopId}>
                <bdi>{nameOf(shopId)}</bdi>: {why}
              </li>
            ))}
          </ul>
        </div>
      )}
      {fallbacks.length > 0 && (
        <div>
          <h3>Next in line</h3>
          <ol className="decision-list">
            {fallbacks.map((shopId) => (
              <li key={shopId}>
                <bdi>{nameOf(shopId)}</bdi>
              </li>
            ))}
          </ol>
        </div>
      )}
    </Card>
  );
}

/** Of shops that the payment was tried with, and of the others. */
function useShopNames(attempts: Schema<'PaymentAttempt'>[]): (id: number) => string {
  const shops = [...useShops().values(), ...attempts.map(({ shop }) => shop)];
  const names = new Map(shops.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? `Shop ${id}`;
}
