import type { Schema } from '@payment-orchestrator/client';
import { STRATEGY_WORDS } from '@payment-orchestrator/routing/words/strategy-words';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Badge } from '../../../ui/badge';
import type { Column } from '../../../ui/data-table';
import { StepBy } from '../../../ui/step-by';
import { None } from '../../../ui/values';
import { StateBadge } from '../proposals/state-badge';
import { RolloutBadge } from '../rollouts/rollout-badge';
import { readDraft } from '../model/kept-draft';

type Version = Schema<'FlowVersion'>;

/** The columns of a flow's versions: who wrote, approved and activated each of them, and why. */
export const versionColumns = (flow: Schema<'Flow'>, actionsOf: (version: Version) => ReactNode): Column<Version>[] => [
  { title: 'Version', cell: (row) => <VersionLink flow={flow} row={row} /> },
  { title: 'Proposal', cell: (row) => <ProposalLink flow={flow} row={row} /> },
  { title: 'Strategy', cell: ({ definition }) => STRATEGY_WORDS[definition.strategy].name },
  { title: 'Written', cell: ({ created_at: at, created_by: by }) => <StepBy at={at} by={by} /> },
  { title: 'Approvals', cell: (row) => <Approvals {...row} /> },
  {
    title: 'Last activated',
    cell: ({ activated_at: at, activated_by: by, reason }) =>
      at === null ? <None /> : <StepBy at={at} by={by} reason={reason} />,
  },
  { title: 'Actions', cell: (row) => actionsOf(row) },
];

interface LinkProps {
  flow: Schema<'Flow'>;
  row: Version;
}

const VersionLink = ({ flow: { id: flowId }, row: { version, proposal_state: state, rollout } }: LinkProps) => (
  <>
    <Link
      to="/flows/$flowId"
      params={{ flowId: String(flowId) }}
      search={{ version }}
      aria-label={`Version ${version}`}
    >
      {version}
    </Link>{' '}
    {rollout ? (
      <RolloutBadge flowId={flowId} rollout={rollout} label="rolled out" />
    ) : (
      <StateBadge proposal_state={state} rollout={rollout} />
    )}
    {readDraft(sessionStorage, flowId, version) && <span className="small muted"> with unsaved changes</span>}
  </>
);

const ProposalLink = ({ flow, row: { version } }: LinkProps) => (
  <Link
    to="/flows/$flowId/proposals/$version"
    params={{ flowId: String(flow.id), version: String(version) }}
    aria-label={`Open the proposal of version ${version}`}
  >
    Open
  </Link>
);

function Approvals({ approvals, needs_approval: isNeeded }: Version) {
  if (isNeeded) return <Badge tone="warn">needs approval</Badge>;
  if (approvals.length === 0) return <None />;
  return (
    <ul className="plain-list">
      {approvals.map(({ by, at, reason }) => (
        <li key={by}>
          <StepBy at={at} by={by} reason={reason} />
        </li>
      ))}
    </ul>
  );
}
