import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../ui/button';
import { versionQuery } from '../flow-queries';
import { DiffView } from './diff-view';
import type { Draft } from './use-draft';

interface Props {
  flowId: number;
  active: Schema<'FlowVersion'>;
  draft: Draft;
}

/** What somebody else has activated meanwhile, before it is replaced. */
export function OtherActivation({ flowId, active, draft: { base, rebase } }: Props) {
  const { data: before } = useQuery(versionQuery(flowId, base));
  return (
    <div className="notice notice-warn" role="alert">
      <div className="stack">
        <p>
          <strong>Version {active.version} has become active</strong> since this was begun from version {base}, and
          would be replaced. Look at what it changed, and take over what is to stay.
        </p>
        {before && (
          <DiffView
            from={before.definition}
            to={active.definition}
            caption={`What version ${active.version} changed`}
            none={`It decides as version ${base} does.`}
          />
        )}
        <Button onClick={() => rebase(active.version)}>I have seen it: replace version {active.version}</Button>
      </div>
    </div>
  );
}
