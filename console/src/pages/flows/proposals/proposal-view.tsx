import { definitionOf } from '@payment-orchestrator/routing/definition/given-definition';
import { definitionSentences } from '@payment-orchestrator/routing/words/definition-sentences';
import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Card } from '../../../ui/card';
import { Page } from '../../../ui/page';
import { ProblemNotice } from '../../../ui/problem-notice';
import { useShopNames } from '../use-shop-names';
import { CandidateBacktest } from '../activation/candidate-backtest';
import { versionQuery } from '../flow-queries';
import { ShownRollout } from '../rollouts/shown-rollout';
import { ChangeView } from '../versions/change-view';
import { CommentsCard } from './comments-card';
import { ProposalActions } from './proposal-actions';
import { ReviewCard } from './review-card';
import { StateBadge } from './state-badge';

interface Props {
  flow: Schema<'Flow'>;
  active: Schema<'FlowVersion'>;
  version: Schema<'FlowVersion'>;
}

/** A version as one page: the change, its consequences, the review and the result. */
export function ProposalView({ flow, active, version }: Props) {
  const nameOf = useShopNames(flow);
  const navigate = useNavigate();
  const title = `${flow.name}, version ${version.version}`;
  const isOpen = version.status === 'draft' || version.status === 'candidate';
  return (
    <Page
      title={title}
      heading={<bdi>{title}</bdi>}
      description={<StateBadge {...version} />}
      actions={<ProposalActions flow={flow} active={active} version={version} nameOf={nameOf} />}
    >
      <div className="proposal">
        <div className="stack">
          <ChangeCard {...{ flow, active, version, nameOf }} />
          {version.last_rollout_id !== null && (
            <ShownRollout
              flowId={flow.id}
              id={version.last_rollout_id}
              onEnding={() =>
                void navigate({
                  to: '/flows/$flowId/proposals/$version',
                  params: { flowId: String(flow.id), version: String(version.version) },
                  replace: true,
                  resetScroll: false,
                })
              }
              takesFocus={false}
            />
          )}
          {isOpen && (
            <Card title="Backtest">
              <CandidateBacktest flowId={flow.id} definition={version.definition} nameOf={nameOf} />
            </Card>
          )}
        </div>
        <div className="stack">
          <ReviewCard version={version} />
          <CommentsCard flowId={flow.id} version={version.version} />
        </div>
      </div>
    </Page>
  );
}

interface ChangeProps extends Props {
  nameOf: (id: number) => string;
}

/** A draft is compared with the active version, an activated one with the version that it replaced. */
function ChangeCard({ flow, active, version, nameOf }: ChangeProps) {
  const isOpen = version.status === 'draft' || version.status === 'candidate';
  const compared = isOpen ? flow.version : (version.replaced_version ?? (version.version - 1 || undefined));
  const before = useQuery(versionQuery(flow.id, compared));
  const from = compared === active.version ? active : before.data;
  return (
    <Card title="The change">
      <ProblemNotice error={before.error} />
      {from && (
        <>
          <p className="muted small">
            Compared with version {from.version}
            {isOpen ? ', which is active.' : ', which it replaced.'}
          </p>
          <ChangeView
            from={from.definition}
            to={version.definition}
            caption={`Changes from version ${from.version}`}
            none="Both versions decide alike."
            nameOf={nameOf}
          />
        </>
      )}
      {compared === undefined && <p className="muted">This is the first version of the flow.</p>}
      <details open={compared === undefined || undefined}>
        <summary>The whole flow in sentences</summary>
        <ul className="sentences">
          {definitionSentences(definitionOf(version.definition), nameOf).map((sentence) => (
            <li key={sentence}>
              <bdi dir="ltr">{sentence}</bdi>
            </li>
          ))}
        </ul>
      </details>
    </Card>
  );
}
