import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../ui/button';
import { versionQuery } from '../flow-queries';
import { DiffView } from '../versions/diff-view';

interface Props {
  flowId: number;
  active: Schema<'FlowVersion'>;
  /** The version that was active when the user began. */
  base: number;
  onRebase: (base: number) => void;
}

/** Shows a version that another user has activated since, before it is replaced. */
export function OtherActivation({ flowId, active, base, onRebase }: Props) {
  const { data: before } = useQuery(versionQuery(flowId, base));
  return (
    <div className="notice notice-warn" role="alert">
      <div className="stack">
        <p>
          <strong>Version {active.version} has become active</strong> since you started from version {base}. Activating
          your changes replaces it. Check its changes, and add what you want to keep.
        </p>
        {before && (
          <DiffView
            from={before.definition}
            to={active.definition}
            caption={`Changes in version ${active.version}`}
            none={`There is no difference to version ${base}.`}
          />
        )}
        <Button onClick={() => onRebase(active.version)}>Replace version {active.version}</Button>
      </div>
    </div>
  );
}
