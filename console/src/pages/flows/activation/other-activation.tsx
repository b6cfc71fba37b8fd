import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../ui/button';
import { type ShopNames, versionQuery } from '../flow-queries';
import { ChangeView } from '../versions/change-view';

interface Props {
  flowId: number;
  active: Schema<'FlowVersion'>;
  /** The version that was active when the user began. */
  base: number;
  onRebase: (base: number) => void;
  nameOf: ShopNames;
}

/** Shows a version that another user has activated since, before it is replaced. */
export function OtherActivation({ flowId, active, base, onRebase, nameOf }: Props) {
  const { data: before } = useQuery(versionQuery(flowId, base));
  return (
    <div className="notice notice-warn" role="alert">
      <div className="stack">
        <p>
          <strong>Version {active.version} has become active</strong> since you started from version {base}. Activating
          your changes replaces it. Check its changes, and add what you want to keep.
        </p>
        {before && (
          <ChangeView
            from={before.definition}
            to={active.definition}
            caption={`Changes in version ${active.version}`}
            none={`There is no difference to version ${base}.`}
            nameOf={nameOf}
          />
        )}
        <Button onClick={() => onRebase(active.version)}>Replace version {active.version}</Button>
      </div>
    </div>
  );
}
