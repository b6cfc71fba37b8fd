import type { Schema } from '@payment-orchestrator/client';
import { Badge, type Tone } from '../../../ui/badge';
import { percentOf } from '../rollouts/rollout-texts';

type Version = Schema<'FlowVersion'>;
type State = Version['proposal_state'];

const STATES: Record<State, { text: string; tone: Tone }> = {
  draft: { text: 'draft', tone: 'info' },
  waiting: { text: 'waiting for approval', tone: 'warn' },
  approved: { text: 'approved', tone: 'good' },
  rejected: { text: 'rejected', tone: 'bad' },
  withdrawn: { text: 'withdrawn', tone: 'neutral' },
  rolling_out: { text: 'rolled out', tone: 'info' },
  active: { text: 'active', tone: 'good' },
  superseded: { text: 'superseded', tone: 'neutral' },
};

/** The state of a version as a proposal, with the percent of a running rollout. */
export function StateBadge({ proposal_state: state, rollout }: Pick<Version, 'proposal_state' | 'rollout'>) {
  const { text, tone } = STATES[state];
  return <Badge tone={tone}>{rollout ? `${text} to ${percentOf(rollout.percent)}` : text}</Badge>;
}
