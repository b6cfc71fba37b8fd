import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import type { Candidate } from '../activation/candidate';
import { codeOf, Refusal } from '../activation/refusal';
import { ErrorsOfFields } from '../editor/errors-context';
import { flowChanged, savingKey, type ShopNames } from '../flow-queries';
import type { Payment } from '../model/counterexample';
import { definitionErrors } from '../model/field-errors';
import { firstRollout, rolloutBody, type RolloutForm } from './rollout-form';
import { RolloutFields } from './rollout-fields';

interface Props {
  flow: Schema<'Flow'>;
  candidate: Candidate;
  /** The version that was active when the user began. */
  base: number;
  /** The reason that was typed so far. */
  reason: string;
  nameOf: ShopNames;
  onStarted: () => Promise<void>;
  onRefused?: ((error: unknown) => void) | undefined;
  onTry?: ((payment: Payment) => void) | undefined;
  onClose: () => void;
}

/** Gives a version a part of the payments. Unsaved changes are stored as a version first, once. */
export function StartRolloutDialog(props: Props) {
  const { flow, candidate, base, nameOf, onStarted, onRefused, onTry, onClose } = props;
  const [form, setForm] = useState<RolloutForm>(() => firstRollout(props.reason));
  const [stored, setStored] = useState(candidate.version);
  const params = { path: { id: flow.id } };
  const start = async () => {
    const version =
      stored ?? (await api.post('/flows/{id}/versions', { params, body: candidate.definition })).data.version;
    setStored(version);
    const body = { ...rolloutBody(form), version, based_on_version: base };
    return api.post('/flows/{id}/rollouts', { params, body });
  };
  const { mutate, error, isPending } = useMutation({
    mutationKey: savingKey(flow.id),
    mutationFn: start,
    onSuccess: async () => {
      await onStarted();
      onClose();
    },
    onError: async (refusal) => {
      onRefused?.(refusal);
      if (codeOf(refusal) !== 'validation_failed') await flowChanged();
    },
  });
  const title = candidate.version === undefined ? 'Roll the changes out' : `Roll version ${candidate.version} out`;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      closeLabel="Cancel"
      danger={title}
      actions={
        <Button variant="primary" isBusy={isPending} onClick={() => mutate()}>
          Start the rollout
        </Button>
      }
    >
      <p>
        A part of the new payments of <bdi>{flow.name}</bdi> uses this version, the others version {flow.version}. You
        see the approvals of both, and decide then.
      </p>
      <ErrorsOfFields errors={definitionErrors(error)}>
        <RolloutFields form={form} onChange={(change) => setForm({ ...form, ...change })} base={flow.version} />
      </ErrorsOfFields>
      <Refusal error={error} nameOf={nameOf} onTry={onTry} />
      {stored !== undefined && candidate.version === undefined && <p>Your changes are saved as the draft {stored}.</p>}
    </Dialog>
  );
}
