import { segmentWords } from '@payment-orchestrator/routing/words/value-words';
import { Badge } from '../../../ui/badge';
import { countOf } from '../insight/texts';
import type { UsedRule } from './use-rule-facts';

/** The hits of a rule, the payments that pass its tests, and signs that it is dead. */
export function RuleFacts({ facts }: { facts: UsedRule | undefined }) {
  if (!facts) return null;
  const { hits_24h: day, hits_30d: month, conditions, warnings, lookedAt, isTruncated } = facts;
  return (
    <div className="small">
      <p className="muted">
        Decided {paymentsOf(day)} in 24 hours, {countOf(month)} in 30 days{isTruncated && ', among the newest 10,000'}.
        {conditions.length > 0 && lookedAt > 0 && ` Of the newest ${paymentsOf(lookedAt)}: `}
        {lookedAt > 0 && conditions.map(({ field, met }) => `${segmentWords(field)} ${countOf(met)}`).join(', ')}
      </p>
      {warnings.map(({ code, field, message }) => (
        <p key={`${code} ${field}`}>
          <Badge tone="warn">{code}</Badge> <bdi>{message}</bdi>
        </p>
      ))}
    </div>
  );
}

const paymentsOf = (count: number): string => (count === 1 ? '1 payment' : `${countOf(count)} payments`);
