import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import { api } from '../../api/client';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { fieldError } from '../../ui/field-errors';
import { TextField } from '../../ui/field';
import { ProblemNotice } from '../../ui/problem-notice';
import { shopChanged } from './shop-queries';

/** Rotates the key of ed25519; receivers read the public keys again by themselves. */
export function RotateKeyDialog({ shopId, onClose }: { shopId: number; onClose: () => void }) {
  const form = useId();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (overlap: number) =>
      api.post('/shops/{id}/webhook-key/rotate', {
        params: { path: { id: shopId } },
        body: { overlap_seconds: overlap },
      }),
    onSuccess: async () => {
      onClose();
      await shopChanged(shopId);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    mutate(Number(new FormData(event.currentTarget).get('overlap')));
  };
  return (
    <Dialog
      title="Rotate the key"
      onClose={onClose}
      actions={
        <Button type="submit" form={form} look="primary" isBusy={isPending}>
          Rotate
        </Button>
      }
    >
      <p>
        The new key signs at once. During the overlap webhooks carry the signatures of both, so that receivers may go on
        with the keys they know; they read <code>jwks.json</code> again when none matches.
      </p>
      <form id={form} className="stack" onSubmit={submit}>
        <TextField
          label="Overlap (seconds)"
          name="overlap"
          type="number"
          min={0}
          max={604_800}
          defaultValue={86_400}
          required
          hint="0, for a key in wrong hands: receivers refuse webhooks until they have read the keys again, within five minutes."
          error={fieldError(error, 'overlap_seconds')}
        />
      </form>
      <ProblemNotice error={error} />
    </Dialog>
  );
}
