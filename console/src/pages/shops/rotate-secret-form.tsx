import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog';
import { fieldError } from '../../ui/field-errors';
import { TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { formText } from '../../ui/form-text';
import { Id } from '../../ui/values';
import { plannedPhases, rotationPhases } from './rotation-phases';
import { RotationPhases } from './rotation-phases-list';

const DAY_SECONDS = 86_400;
const MAX_SECONDS = 7 * DAY_SECONDS;

export interface RotationRequest {
  activate_in_seconds: number;
  overlap_seconds: number;
  /** The user's own secret; absent: the API generates one. */
  secret?: string;
}

export interface RotatedSecret {
  secret: string;
  activeFrom: string;
  previousExpiresAt: string | null;
}

interface Props {
  /** The field of the API that takes the user's own secret. */
  secretField: string;
  rotate: (request: RotationRequest) => Promise<RotatedSecret>;
  onRotated: () => Promise<void>;
  onClose: () => void;
}

/** Rotates a webhook secret. Shows the schedule before, and the new secret after. */
export function RotateSecretForm({ secretField, rotate, onRotated, onClose }: Props) {
  const [activateIn, setActivateIn] = useState(3_600);
  const [overlap, setOverlap] = useState(DAY_SECONDS);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (own: string) => {
      const times = { activate_in_seconds: activateIn, overlap_seconds: overlap };
      return rotate({ ...times, ...(own !== '' && { secret: own }) });
    },
    onSuccess: onRotated,
  });
  if (data) return <RotatedDialog rotated={data} onClose={onClose} />;
  return (
    <FormDialog
      title="Rotate the webhook secret"
      onClose={onClose}
      action="Rotate"
      onSubmit={(form) => mutate(formText(form, 'secret'))}
      isBusy={isPending}
      error={error}
    >
      <div className="columns-2">
        <TextField
          label="Start after (seconds)"
          type="number"
          min={0}
          max={MAX_SECONDS}
          required
          value={activateIn}
          onChange={({ target }) => setActivateIn(target.valueAsNumber || 0)}
          hint="Time to add the new secret to your receiver. 0: immediately."
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
          hint="After the start, the old secret also signs for this time. Use 0 if the old secret was stolen."
          error={fieldError(error, 'overlap_seconds')}
        />
      </div>
      <TextField
        label="Your own secret (optional)"
        name="secret"
        spellCheck={false}
        hint="24 to 200 printable characters, or whsec_ and base64. Leave empty to generate one."
        error={fieldError(error, secretField)}
      />
      <h3>Schedule</h3>
      <RotationPhases phases={plannedPhases(activateIn, overlap)} />
    </FormDialog>
  );
}

function RotatedDialog({ rotated, onClose }: { rotated: RotatedSecret; onClose: () => void }) {
  const { secret, activeFrom, previousExpiresAt: expiresAt } = rotated;
  const dates = {
    activeFrom: new Date(activeFrom),
    previousExpiresAt: expiresAt === null ? null : new Date(expiresAt),
  };
  return (
    <Dialog title="Secret rotated" onClose={onClose}>
      <p>Add the new secret to your receiver and keep the old one. The receiver must accept both.</p>
      <p>
        <Id value={secret} />
      </p>
      <h3>Schedule</h3>
      <RotationPhases phases={rotationPhases(dates)} />
      <p className="muted">
        Remove the old secret one minute after the new one starts to sign. Requests that are still running carry the old
        signature.
      </p>
    </Dialog>
  );
}
