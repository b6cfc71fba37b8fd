import type { Schema } from '@payment-orchestrator/client';
import { STRATEGY_WORDS } from '@payment-orchestrator/routing/words/strategy-words';
import { useQuery } from '@tanstack/react-query';
import { useCan } from '../../api/session';
import { useShops } from '../../api/use-shops';
import { Card } from '../../ui/card';
import { FlowName } from '../../ui/flow-name';
import { versionQuery } from '../flows/flow-queries';
import { explain } from './decision';

interface Props {
  decision: Schema<'PaymentDecision'> | null;
  attempts: Schema<'PaymentAttempt'>[];
  flowId: number;
}

export function DecisionCard({ decision, attempts, flowId }: Props) {
  const nameOf = useShopNames(attempts);
  const rules = useRules(flowId, decision);
  if (decision === null)
    return (
      <Card title="Decision">
        <p className="muted">No routing decision is stored with this payment.</p>
      </Card>
    );
  const { reason, notes, leftOut, fallbacks } = explain(decision, nameOf, rules);
  const version = decision.flow_version === null ? '' : `, version ${decision.flow_version}`;
  return (
    <Card title="Decision" actions={<FlowName id={flowId} note={version} />}>
      <p>
        <strong>
          <bdi dir="ltr">{reason}</bdi>
        </strong>
      </p>
      <p className="small muted">
        {STRATEGY_WORDS[decision.strategy].name}, {decision.shops.length} shops.
      </p>
      {notes.map((note) => (
        <p key={note}>
          <bdi dir="ltr">{note}</bdi>
        </p>
      ))}
      {attempts.length > 1 && (
        <p>
          Next attempts:{' '}
          <bdi>
            {attempts
              .slice(1)
              .map(({ shop }) => shop.name)
              .join(', ')}
          </bdi>
          .
        </p>
      )}
      {leftOut.length > 0 && (
        <div>
          <h3>Excluded shops</h3>
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
          <h3>Fallback shops</h3>
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

/** Names of all shops, including those of the attempts, which are known even without the scope to read shops. */
function useShopNames(attempts: Schema<'PaymentAttempt'>[]): (id: number) => string {
  const shops = [...useShops().values(), ...attempts.map(({ shop }) => shop)];
  const names = new Map(shops.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? `Shop ${id}`;
}

/** The rules of the version that decided: they have the names. Empty without the scope to read flows. */
function useRules(flowId: number, decision: Props['decision']): Schema<'Rule'>[] {
  const isByRules = decision?.strategy === 'rules' && decision.flow_version !== null;
  const mayRead = useCan('flows:read');
  const version = isByRules && mayRead ? (decision.flow_version ?? undefined) : undefined;
  const { data } = useQuery(versionQuery(flowId, version));
  return data?.definition.rules ?? [];
}
