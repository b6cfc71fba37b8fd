import type { Schema } from '@payment-orchestrator/client';
import { Link } from '@tanstack/react-router';
import { percentOf } from './rollout-texts';

interface Props {
  flowId: number;
  rollout: NonNullable<Schema<'Flow'>['rollout']>;
  label?: string;
}

/** The running rollout of a flow, as a link to it. */
export const RolloutBadge = ({ flowId, rollout: { version, percent }, label = `version ${version}` }: Props) => (
  <Link
    to="/flows/$flowId"
    params={{ flowId: String(flowId) }}
    search={{ tab: 'rollouts' }}
    className="badge badge-info"
  >
    {label}: {percentOf(percent)}
  </Link>
);
