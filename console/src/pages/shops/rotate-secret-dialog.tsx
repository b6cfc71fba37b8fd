import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { Dialog } from '../../ui/dialog';
import { fieldError } from '../../ui/field-errors';
import { TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { formText } from '../../ui/form-text';
import { Id } from '../../ui/values';
import { plannedPhases, rotationPhases } from './rotation-phases';
import { RotationPhases } from './rotation-phases-list';
import { shopChanged } from './shop-queries';

const DAY_SECONDS = 86_400;
const MAX_SECONDS = 7 * DAY_SECONDS;

/** Rotates the webhook secret; says beforehand what signs when, and afterwards what the new secret is. */
export function RotateSecretDialog({ shopId, onClose }: { shopId: number; onClose: () => void }) {
  const [activateIn, setActivateIn] = useState(3_600);
  const [overlap, setOverlap] = useState(DAY_SECONDS);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async (own: string) => {
      const body = {
        activate_in_seconds: activateIn,
        overlap_seconds: overlap,
        ...(own !== '' && { webhook_secret: own }),
      };
      return (await api.post('/shops/{id}/webhook-secret/rotate', { params: { path: { id: shopId } }, body })).data;
    },
    onSuccess: () => shopChanged(shopId),
  });
  if (data) return <RotatedDialog rotated={data} onClose={onClose} />;
  return (
    <FormDialog
      title="Rotate the webhook secret"
      onClose={onClose}
      action="Rotate"
      onSubmit={(data) => mutate(formText(data, 'webhook_secret'))}
      isBusy={isPending}
      error={error}
    >
      <div className="columns-2">
        <TextField
          label="Begins to sign in (seconds)"
          type="number"
          min={0}
          max={MAX_SECONDS}
          required
          value={activateIn}
          onChange={({ target }) => setActivateIn(target.valueAsNumber || 0)}
          hint="Time to put it beside the old one at the receiver. 0: at once."
          error={fieldError(error, 'activate_in_seconds')}
        />
        <TextField
          label="Overlap (seconds)"
          type="number"
          min={0}
          max={MAX_SECONDS}
          required
          value={overlap}
          onChange={({ target }) => setOverlap(target.valueAsNumber || 0)}
          hint="For so long the old one signs along. 0, for a secret in wrong hands: not at all."
          error={fieldError(error, 'overlap_seconds')}
        />
      </div>
      <TextField
        label="Your own secret (optional)"
        name="webhook_secret"
        spellCheck={false}
        hint="24 to 200 printable characters, or whsec_ and base64. Left empty, one is made."
        error={fieldError(error, 'webhook_secret')}
      />
      <h3>What signs when</h3>
      <RotationPhases phases={plannedPhases(activateIn, overlap, new Date())} />
    </FormDialog>
  );
}

function RotatedDialog({ rotated, onClose }: { rotated: Schema<'RotatedShop'>; onClose: () => void }) {
  const { webhook_secret_active_from: activeFrom, previous_webhook_secret_expires_at: expiresAt } = rotated;
  const dates = {
    activeFrom: new Date(activeFrom),
    previousExpiresAt: expiresAt === null ? null : new Date(expiresAt),
  };
  return (
    <Dialog title="The secret is rotated" onClose={onClose}>
      <p>Put the new secret beside the old one at the receiver, which takes what either of them verifies.</p>
      <p>
        <Id value={rotated.webhook_secret} />
      </p>
      <h3>What signs when</h3>
      <RotationPhases phases={rotationPhases(dates, new Date())} />
      <p className="muted">
        Take the old one out a minute after the new one has begun to sign: what was under way carries the old one.
      </p>
    </Dialog>
  );
}
