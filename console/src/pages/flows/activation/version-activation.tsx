import type { Schema } from '@payment-orchestrator/client';
import { useState } from 'react';
import { flowChanged, type ShopNames } from '../flow-queries';
import { ActivateDialog } from './activate-dialog';

interface Props {
  flow: Schema<'Flow'>;
  active: Schema<'FlowVersion'>;
  /** The stored version that is to become active. */
  version: Schema<'FlowVersion'>;
  nameOf: ShopNames;
  /** Called when a rollout of the version has started. */
  onStarted?: () => Promise<void>;
  onClose: () => void;
}

/** Activates a stored version. The active version must still be the one that was active when the dialog was opened. */
export function VersionActivation({ flow, active, version, nameOf, onStarted, onClose }: Props) {
  const [base, setBase] = useState(flow.version);
  return (
    <ActivateDialog
      flow={flow}
      active={active}
      candidate={{
        definition: version.definition,
        version: version.version,
        isRetired: version.status === 'retired',
      }}
      base={base}
      onRebase={setBase}
      nameOf={nameOf}
      onActivated={flowChanged}
      onStarted={async () => {
        await flowChanged();
        await onStarted?.();
      }}
      onClose={onClose}
    />
  );
}
