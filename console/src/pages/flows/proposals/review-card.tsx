import type { Schema } from '@payment-orchestrator/client';
import type { ReactNode } from 'react';
import { ActorName } from '../../../ui/actor-name';
import { Card } from '../../../ui/card';
import { StepBy } from '../../../ui/step-by';
import { Facts } from '../../../ui/values';
import { StateBadge } from './state-badge';

type Version = Schema<'FlowVersion'>;

/** The steps of the review, each with its person and time. */
export const ReviewCard = ({ version }: { version: Version }) => (
  <Card title="Review">
    <Facts facts={factsOf(version)} />
    {version.needs_approval && (
      <p className="notice notice-warn">
        {version.created_by === null
          ? 'A person must approve this version before payments use it.'
          : 'Another person than the author must approve this version before payments use it.'}
      </p>
    )}
  </Card>
);

function factsOf(version: Version): [string, ReactNode][] {
  const { created_at, created_by, approvals, activated_at, activated_by, reason } = version;
  return [
    ['State', <StateBadge key="state" {...version} />],
    ['Proposed', <StepBy key="proposed" at={created_at} by={created_by} />],
    ...requestFacts(version.approval_request),
    ...approvals.map(({ by, at, reason: why }): [string, ReactNode] => [
      approvals.length === 1 ? 'Approved' : `Approved (${at.slice(0, 10)})`,
      <StepBy key={by} at={at} by={by} reason={why} />,
    ]),
    ...(activated_at === null
      ? []
      : [
          ['Activated', <StepBy key="active" at={activated_at} by={activated_by} reason={reason} />] as [
            string,
            ReactNode,
          ],
        ]),
  ];
}

const ENDS = { rejected: 'Rejected', withdrawn: 'Withdrawn' } as const;

function requestFacts(request: Version['approval_request']): [string, ReactNode][] {
  if (request === null) return [];
  const { status, requested_at, requested_by, message, ended_at, ended_by, end_reason } = request;
  const asked: [string, ReactNode] = [
    'Approval asked',
    <span key="asked" className="step-by">
      <StepBy at={requested_at} by={requested_by} reason={message} />
      <span className="small muted">
        of <Asked colleagues={request.colleagues} />
      </span>
    </span>,
  ];
  if (ended_at === null || status === 'approved' || status === 'waiting') return [asked];
  return [asked, [ENDS[status], <StepBy key="end" at={ended_at} by={ended_by} reason={end_reason} />]];
}

function Asked({ colleagues }: { colleagues: readonly string[] }) {
  if (colleagues.length === 0) return 'everyone who may activate flows';
  return colleagues.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <ActorName id={id} />
    </span>
  ));
}
