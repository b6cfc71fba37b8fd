import { ProblemError } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../../api/client';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { ProblemNotice } from '../../../ui/problem-notice';
import { flowChanged } from '../flow-queries';
import { DiffView } from './diff-view';
import type { BarProps } from './editor-bar';

/** Says what changes for payments from now on. Changes are stored and activated in one, or not at all. */
export function ActivateDialog({ flow, shown, active, draft, onRefused, onClose }: BarProps & { onClose: () => void }) {
  const navigate = useNavigate();
  const { isChanged, definition } = draft;
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => (isChanged ? change() : activate()),
    onSuccess: async () => {
      draft.discard();
      await flowChanged();
      onClose();
      await navigate({ to: '/flows/$flowId', params: { flowId: String(flow.id) } });
    },
    onError: onRefused,
  });
  // what a change leaves out stays as it is
  const change = () => {
    const body = { max_attempts: 1, assertions: [], ...definition };
    return api.patch('/flows/{id}', { params: { path: { id: flow.id } }, body });
  };
  const activate = () =>
    api.post('/flows/{id}/versions/{version}/activate', { params: { path: { id: flow.id, version: shown.version } } });
  return (
    <Dialog
      title={isChanged ? 'Save and activate' : `Activate version ${shown.version}`}
      onClose={onClose}
      actions={
        <Button look="primary" isBusy={isPending} onClick={() => mutate()}>
          Activate
        </Button>
      }
    >
      <p>
        New payments of <bdi>{flow.name}</bdi> go by it at once; payments that are routed already stay where they are.
      </p>
      <DiffView
        from={active.definition}
        to={definition}
        caption={`What changes from version ${active.version}`}
        none="It decides as the active version does."
      />
      <ProblemNotice error={error} />
      {error instanceof ProblemError && error.code === 'flow_assertion_violated' && (
        <p>Each payment that breaks an assertion is shown at it: close this, and try it in the simulator.</p>
      )}
    </Dialog>
  );
}
