import type { Schema } from '@payment-orchestrator/client';
import { useCan } from '../../api/session';
import { useList } from '../../api/use-list';
import { Card } from '../../ui/card';
import { ObjectLink } from '../../ui/object-link';
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
    <Card title="Decision" actions={<ObjectLink type="flow" id={flowId}>{`Flow ${flowId}${version}`}</ObjectLink>}>
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

/** Of shops that the payment was tried with, and of the newest of the others. */
function useShopNames(attempts: Schema<'PaymentAttempt'>[]): (id: number) => string {
  const { rows = [] } = useList('/shops', { query: { limit: 100 }, isEnabled: useCan('shops:read') });
  const names = new Map([...rows, ...attempts.map(({ shop }) => shop)].map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? `Shop ${id}`;
}
