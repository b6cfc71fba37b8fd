import { ProblemError } from '@payment-orchestrator/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../../api/client';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { ProblemNotice } from '../../../ui/problem-notice';
import { flowChanged, flowQuery, savingKey } from '../flow-queries';
import { DiffView } from './diff-view';
import type { BarProps } from './bar-props';
import { OtherActivation } from './other-activation';

/**
 * Shows what changes for new payments. Unsaved changes are stored and activated in one request. It succeeds only while their
 * base version is the active one, so that an activation by another user is not undone by accident.
 */
export function ActivateDialog({ flow, shown, active, draft, onRefused, onClose }: BarProps & { onClose: () => void }) {
  const navigate = useNavigate();
  const { isFetching } = useQuery({ ...flowQuery(flow.id), refetchOnMount: 'always' });
  const { isChanged, definition, base } = draft;
  const { mutate, error, isPending } = useMutation({
    mutationKey: savingKey(flow.id),
    mutationFn: () => (isChanged ? change() : activate()),
    onSuccess: async ({ data: { version } }) => {
      draft.activated(version);
      await flowChanged();
      onClose();
      await navigate({ to: '/flows/$flowId', params: { flowId: String(flow.id) } });
    },
    onError: async (refusal) => {
      onRefused(refusal);
      if (codeOf(refusal) === 'flow_changed') await flowChanged();
    },
  });
  // defaults are sent, because fields that are missing in the request keep their old values
  const change = () => {
    const body = {
      max_attempts: 1,
      capture: 'automatic' as const,
      assertions: [],
      ...definition,
      based_on_version: base,
    };
    return api.patch('/flows/{id}', { params: { path: { id: flow.id } }, body });
  };
  const activate = () => {
    const params = { path: { id: flow.id, version: shown.version } };
    return api.post('/flows/{id}/versions/{version}/activate', { params, body: { based_on_version: base } });
  };
  const isOther = flow.version !== base;
  return (
    <Dialog
      title={isChanged ? 'Save and activate' : `Activate version ${shown.version}`}
      onClose={onClose}
      actions={
        <Button variant="primary" disabled={isOther} isBusy={isPending || isFetching} onClick={() => mutate()}>
          Activate
        </Button>
      }
    >
      <p>
        New payments of <bdi>{flow.name}</bdi> use this version immediately. Existing payments keep their shops.
      </p>
      {isOther && active.version === flow.version && <OtherActivation active={active} draft={draft} flowId={flow.id} />}
      <DiffView
        from={active.definition}
        to={definition}
        caption={`Changes from version ${active.version}`}
        none="There is no difference to the active version."
      />
      <ProblemNotice error={error} />
      {codeOf(error) === 'flow_assertion_violated' && (
        <p>Close this dialog to see a payment that violates the assertion, and to try it in the simulator.</p>
      )}
    </Dialog>
  );
}

const codeOf = (error: unknown): string | undefined => (error instanceof ProblemError ? error.code : undefined);
