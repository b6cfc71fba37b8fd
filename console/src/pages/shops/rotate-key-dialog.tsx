import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client';
import { fieldError } from '../../ui/field-errors';
import { TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { shopChanged } from './shop-queries';

/** Rotates the ed25519 key. Receivers read the new public key by themselves. */
export function RotateKeyDialog({ shopId, onClose }: { shopId: number; onClose: () => void }) {
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
  return (
    <FormDialog
      title="Rotate the key"
      onClose={onClose}
      action="Rotate"
      onSubmit={(data) => mutate(Number(data.get('overlap')))}
      isBusy={isPending}
      error={error}
    >
      <p>
        The new key signs immediately. During the overlap, webhooks carry the signatures of both keys. Receivers read{' '}
        <code>jwks.json</code> again when no known key matches.
      </p>
      <TextField
        label="Overlap (seconds)"
        name="overlap"
        type="number"
        min={0}
        max={604_800}
        defaultValue={86_400}
        required
        hint="Use 0 if the old key was stolen. Receivers then refuse webhooks until they read the new key, within five minutes."
        error={fieldError(error, 'overlap_seconds')}
      />
    </FormDialog>
  );
}
