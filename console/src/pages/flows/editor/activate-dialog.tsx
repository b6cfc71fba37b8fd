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
 * Says what changes for payments from now on. Changes are stored and activated in one, or not at all; and only while the
 * version that they were begun from is the active one, so that nobody's activation is undone unseen.
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
  // what a change leaves out stays as it is
  const change = () => {
    const body = { max_attempts: 1, assertions: [], ...definition, based_on_version: base };
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
        New payments of <bdi>{flow.name}</bdi> go by it at once; payments that are routed already stay where they are.
      </p>
      {isOther && active.version === flow.version && <OtherActivation active={active} draft={draft} flowId={flow.id} />}
      <DiffView
        from={active.definition}
        to={definition}
        caption={`What changes from version ${active.version}`}
        none="It decides as the active version does."
      />
      <ProblemNotice error={error} />
      {codeOf(error) === 'flow_assertion_violated' && (
        <p>Each payment that breaks an assertion is shown at it: close this, and try it in the simulator.</p>
      )}
    </Dialog>
  );
}

const codeOf = (error: unknown): string | undefined => (error instanceof ProblemError ? error.code : undefined);
