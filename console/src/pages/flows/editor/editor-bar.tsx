import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '../../../api/client';
import { useCan, useSession } from '../../../api/session';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { ProblemNotice } from '../../../ui/problem-notice';
import { useDialog } from '../../../ui/use-dialog';
import { flowChanged, savingKey } from '../flow-queries';
import type { Candidate } from '../activation/candidate';
import { ActivateDialog } from '../activation/activate-dialog';
import { ApproveDialog } from '../activation/approve-dialog';
import { keptVersions } from '../model/kept-draft';
import { RolloutBadge } from '../rollouts/rollout-badge';
import type { BarProps } from './bar-props';
import { MissingRight } from '../../../ui/missing-right';
import type { Scope } from '../../../api/rights';

/** The version, whether it has unsaved changes, and its actions. */
export function EditorBar(props: BarProps) {
  const { flow, shown, active, draft, nameOf, onTry, onRefused, hasErrors } = props;
  const navigate = useNavigate();
  const mayWrite = useCan('flows:write');
  const activating = useDialog();
  const params = { path: { id: flow.id } };
  const openProposal = (version: number) =>
    navigate({
      to: '/flows/$flowId/proposals/$version',
      params: { flowId: String(flow.id), version: String(version) },
    });
  const store = useMutation({
    mutationKey: savingKey(flow.id),
    mutationFn: (_: 'save' | 'propose') => api.post('/flows/{id}/versions', { params, body: draft.definition }),
    onSuccess: async ({ data: { version } }, next) => {
      draft.discard();
      await flowChanged();
      if (next === 'propose') await openProposal(version);
      else await navigate({ to: '/flows/$flowId', params: { flowId: String(flow.id) }, search: { version } });
    },
    onError: onRefused,
  });
  const isUnread = draft.unread !== undefined;
  return (
    <>
      <div className="editor-bar">
        <State {...props} />
        <div className="actions">
          {mayWrite && draft.isChanged && (
            <>
              <Button disabled={store.isPending} onClick={draft.discard}>
                Discard changes
              </Button>
              <Button disabled={isUnread} isBusy={store.isPending} onClick={() => store.mutate('save')}>
                Save as a draft
              </Button>
              <Button disabled={isUnread} isBusy={store.isPending} onClick={() => store.mutate('propose')}>
                Propose
              </Button>
            </>
          )}
          {!draft.isChanged && shown.version !== flow.version && (
            <Button onClick={() => void openProposal(shown.version)}>Open the proposal</Button>
          )}
          <ActivationButton {...props} isDisabled={isUnread || store.isPending} onActivate={() => activating.open()} />
        </div>
      </div>
      <KeptElsewhere {...props} />
      {isUnread && <p className="field-error">The JSON is not a valid definition, so it cannot be saved.</p>}
      {hasErrors && <p className="field-error">The definition has errors. They are shown at the fields.</p>}
      <ProblemNotice error={store.error} />
      {activating.isOpen && (
        <ActivateDialog
          flow={flow}
          active={active}
          candidate={candidateOf(shown, draft)}
          base={draft.base}
          onRebase={draft.rebase}
          nameOf={nameOf}
          onRefused={onRefused}
          onTry={(payment) => {
            onTry(payment);
            activating.close();
          }}
          onStarted={async () => {
            draft.discard();
            await flowChanged();
            await navigate({ to: '/flows/$flowId', params: { flowId: String(flow.id) }, search: { tab: 'rollouts' } });
          }}
          onActivated={async (version) => {
            draft.activated(version);
            await flowChanged();
            await navigate({ to: '/flows/$flowId', params: { flowId: String(flow.id) } });
          }}
          onClose={activating.close}
        />
      )}
    </>
  );
}

interface ActivationProps extends BarProps {
  isDisabled: boolean;
  onActivate: () => void;
}

/** The next step of the version on its way to payments, or why this client cannot take it. */
function ActivationButton({ flow, shown, active, draft, nameOf, isDisabled, onActivate }: ActivationProps) {
  const { client_id: own } = useSession();
  const mayWrite = useCan('flows:write');
  const mayActivate = useCan('flows:activate');
  const approving = useDialog();
  if (!mayWrite && (draft.isChanged || !mayActivate)) return <NeededScope scope="flows:write" />;
  if (!draft.isChanged && shown.version === flow.version) return null;
  if (!mayActivate) return <NeededScope scope="flows:activate" />;
  if (draft.isChanged || !shown.needs_approval)
    return (
      <Button variant="primary" disabled={isDisabled} onClick={onActivate}>
        {draft.isChanged ? 'Save and activate …' : `Activate version ${shown.version} …`}
      </Button>
    );
  if (shown.created_by === own)
    return <p className="small muted">You wrote this version, so another client must approve it first.</p>;
  return (
    <>
      <Button variant="primary" onClick={() => approving.open()}>
        Approve version {shown.version} …
      </Button>
      {approving.isOpen && (
        <ApproveDialog flow={flow} active={active} version={shown} nameOf={nameOf} onClose={approving.close} />
      )}
    </>
  );
}

const NeededScope = ({ scope }: { scope: Scope }) => (
  <p className="small muted">
    <MissingRight scope={scope} />
  </p>
);

const candidateOf = (
  { version, status }: BarProps['shown'],
  { definition, isChanged }: BarProps['draft'],
): Candidate =>
  isChanged
    ? { definition, version: undefined, isRetired: false }
    : { definition, version, isRetired: status === 'retired' };

function State({ flow, shown, draft }: BarProps) {
  const isActive = shown.version === flow.version;
  return (
    <p className="editor-state" role="status">
      <strong>Version {shown.version}</strong> <Badge tone={isActive ? 'good' : 'neutral'}>{shown.status}</Badge>
      {shown.needs_approval && <Badge tone="warn">needs approval</Badge>}
      {flow.rollout && <RolloutBadge flowId={flow.id} rollout={flow.rollout} />}
      {!isActive && (
        <Link
          to="/flows/$flowId"
          params={{ flowId: String(flow.id) }}
          search={{ version: flow.version }}
          className="small"
        >
          Open the active version
        </Link>
      )}
      {draft.isChanged && (
        <>
          <Badge tone="warn">unsaved changes</Badge>
          <span className="small muted">kept in this tab</span>
        </>
      )}
    </p>
  );
}

/** Unsaved changes of other versions, for example of one that is no longer active. */
function KeptElsewhere({ flow, shown }: BarProps) {
  const versions = keptVersions(sessionStorage, flow.id).filter((version) => version !== shown.version);
  return versions.map((version) => (
    <p key={version} className="notice notice-warn">
      <span>This tab keeps unsaved changes to version {version}.</span>
      <Link to="/flows/$flowId" params={{ flowId: String(flow.id) }} search={{ version }}>
        Open the changes
      </Link>
    </p>
  ));
}
