import type { Schema } from '@payment-orchestrator/client';
import { Link } from '@tanstack/react-router';
import { useCan, useSession } from '../../../api/session';
import { Button } from '../../../ui/button';
import { useDialog } from '../../../ui/use-dialog';
import { ApproveDialog } from '../activation/approve-dialog';
import { VersionActivation } from '../activation/version-activation';
import type { ShopNames } from '../flow-queries';
import { EndRequestDialog } from './end-request-dialog';
import { RequestDialog } from './request-dialog';

interface Props {
  flow: Schema<'Flow'>;
  active: Schema<'FlowVersion'>;
  version: Schema<'FlowVersion'>;
  nameOf: ShopNames;
}

/** The next steps of a proposal that this person may take. */
export function ProposalActions({ flow, active, version, nameOf }: Props) {
  const requesting = useDialog();
  const approving = useDialog();
  const activating = useDialog();
  const ending = useDialog<'reject' | 'withdraw'>();
  const may = useMay(version);
  return (
    <div className="actions screen-only">
      <Link
        to="/flows/$flowId"
        params={{ flowId: String(flow.id) }}
        search={{ version: version.version }}
        className="button button-plain"
      >
        Open in the editor
      </Link>
      <Button onClick={() => print()}>Print</Button>
      {may.request && <Button onClick={() => requesting.open()}>Ask for an approval …</Button>}
      {may.withdraw && <Button onClick={() => ending.open('withdraw')}>Withdraw the request …</Button>}
      {may.reject && <Button onClick={() => ending.open('reject')}>Reject …</Button>}
      {may.approve && (
        <Button variant={may.activate ? 'plain' : 'primary'} onClick={() => approving.open()}>
          Approve …
        </Button>
      )}
      {may.activate && (
        <Button variant="primary" onClick={() => activating.open()}>
          {version.status === 'retired' ? 'Roll back to this version …' : 'Activate or roll out …'}
        </Button>
      )}
      {requesting.isOpen && <RequestDialog flowId={flow.id} version={version} onClose={requesting.close} />}
      {ending.subject && (
        <EndRequestDialog flowId={flow.id} version={version} end={ending.subject} onClose={ending.close} />
      )}
      {approving.isOpen && (
        <ApproveDialog flow={flow} active={active} version={version} nameOf={nameOf} onClose={approving.close} />
      )}
      {activating.isOpen && (
        <VersionActivation flow={flow} active={active} version={version} nameOf={nameOf} onClose={activating.close} />
      )}
    </div>
  );
}

/** The steps that the state of the version and the scopes of the session permit. */
function useMay({
  status,
  approvals,
  created_by: author,
  approval_request: request,
  needs_approval,
}: Props['version']) {
  const { client_id: own } = useSession();
  const mayWrite = useCan('flows:write');
  const mayActivate = useCan('flows:activate');
  const isOpen = status === 'draft' || status === 'candidate';
  const isWaiting = request?.status === 'waiting';
  const isReviewer = mayActivate && author !== own;
  return {
    request: mayWrite && isOpen && !isWaiting && approvals.length === 0,
    withdraw: mayWrite && isWaiting,
    reject: isReviewer && isOpen && isWaiting,
    approve: isReviewer && isOpen && !approvals.some(({ by }) => by === own),
    activate: mayActivate && !needs_approval && (status === 'draft' || status === 'retired'),
  };
}
