import { rotationPhases } from './rotation-phases';
import { RotationPhases } from './rotation-phases-list';

interface Props {
  /** When the new secret starts to sign; `null`: it signs already. */
  activeFrom: string | null;
  /** Until when the previous secret signs, too; `null`: it does not. */
  expiresAt: string | null;
}

/** A running rotation of a secret; nothing if there is none. */
export function CurrentRotation({ activeFrom, expiresAt }: Props) {
  if (activeFrom === null && expiresAt === null) return null;
  const dates = { activeFrom: dateOf(activeFrom), previousExpiresAt: dateOf(expiresAt) };
  return (
    <div className="stack">
      <h3>Secret rotation in progress</h3>
      <RotationPhases phases={rotationPhases(dates)} />
    </div>
  );
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));
