import type { Schema } from '@payment-orchestrator/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ActorName } from '../../../ui/actor-name';
import { Badge } from '../../../ui/badge';
import type { Column } from '../../../ui/data-table';
import { None, Time } from '../../../ui/values';
import { readDraft } from '../model/kept-draft';

type Version = Schema<'FlowVersion'>;

const TONES = { active: 'good', draft: 'info', retired: 'neutral' } as const;

/** The columns of a flow's versions: who wrote, approved and activated each of them, and why. */
export const versionColumns = (flowId: number, actionsOf: (version: Version) => ReactNode): Column<Version>[] => [
  { title: 'Version', cell: (row) => <VersionLink flowId={flowId} row={row} /> },
  { title: 'Strategy', cell: ({ definition }) => <code>{definition.strategy}</code> },
  { title: 'Written', cell: ({ created_at: at, created_by: by }) => <Done at={at} by={by} /> },
  { title: 'Approvals', cell: (row) => <Approvals {...row} /> },
  {
    title: 'Last activated',
    cell: ({ activated_at: at, activated_by: by, reason }) =>
      at === null ? <None /> : <Done at={at} by={by} reason={reason} />,
  },
  { title: 'Actions', cell: (row) => actionsOf(row) },
];

const VersionLink = ({ flowId, row: { version, status } }: { flowId: number; row: Version }) => (
  <>
    <Link
      to="/flows/$flowId"
      params={{ flowId: String(flowId) }}
      search={{ version }}
      aria-label={`Version ${version}`}
    >
      {version}
    </Link>{' '}
    <Badge tone={TONES[status]}>{status}</Badge>
    {readDraft(sessionStorage, flowId, version) && <span className="small muted"> with unsaved changes</span>}
  </>
);

function Approvals({ approvals, needs_approval: isNeeded }: Version) {
  if (isNeeded) return <Badge tone="warn">needs approval</Badge>;
  if (approvals.length === 0) return <None />;
  return (
    <ul className="plain-list">
      {approvals.map(({ by, at, reason }) => (
        <li key={by}>
          <Done at={at} by={by} reason={reason} />
        </li>
      ))}
    </ul>
  );
}

interface DoneProps {
  at: string;
  /** `null`: an earlier release did not store it. */
  by: string | null;
  reason?: string | null;
}

const Done = ({ at, by, reason = null }: DoneProps) => (
  <span className="version-step">
    <Time value={at} />
    {by !== null && (
      <span className="small muted">
        by <ActorName id={by} />
      </span>
    )}
    {reason !== null && <q className="version-reason">{reason}</q>}
  </span>
);
