import type { Schema } from '@payment-orchestrator/client';
import { useNavigate } from '@tanstack/react-router';
import { useCan, useSession } from '../../../api/session';
import { useList } from '../../../api/use-list';
import { Button } from '../../../ui/button';
import { List } from '../../../ui/list';
import { useDialog } from '../../../ui/use-dialog';
import { ApproveDialog } from '../activation/approve-dialog';
import { VersionActivation } from '../activation/version-activation';
import type { EditorSearch } from '../editor-search';
import type { Draft } from '../editor/use-draft';
import type { ShopNames } from '../flow-queries';
import { CompareCard } from './compare-card';
import { versionColumns } from './version-columns';

type Version = Schema<'FlowVersion'>;

interface Props {
  flow: Schema<'Flow'>;
  shown: Version;
  active: Version;
  search: EditorSearch;
  draft: Draft;
  nameOf: ShopNames;
}

/** All versions with their authors and reasons, and a comparison of any two. */
export function VersionsView(props: Props) {
  const { flow, active, nameOf } = props;
  const navigate = useNavigate();
  const list = useList('/flows/{id}/versions', { path: { id: flow.id } });
  const mayActivate = useCan('flows:activate');
  const { client_id: own } = useSession();
  const rollingBack = useDialog<Version>();
  const approving = useDialog<Version>();
  const actionsOf = (row: Version) => {
    if (mayActivate && row.status === 'retired')
      return (
        <Button aria-label={`Roll back to this version: ${row.version}`} onClick={() => rollingBack.open(row)}>
          Roll back to this version
        </Button>
      );
    if (mayActivate && row.needs_approval && row.created_by !== own)
      return (
        <Button aria-label={`Approve version ${row.version}`} onClick={() => approving.open(row)}>
          Approve
        </Button>
      );
    return null;
  };
  const openRollouts = () =>
    navigate({ to: '/flows/$flowId', params: { flowId: String(flow.id) }, search: { tab: 'rollouts' } });
  return (
    <div className="stack">
      <List
        list={list}
        caption="Versions, newest first"
        columns={versionColumns(flow, actionsOf)}
        rowKey={({ version }) => version}
        empty={<p>No versions.</p>}
      />
      <CompareCard {...props} versions={list.rows?.map(({ version }) => version) ?? []} />
      {rollingBack.subject && (
        <VersionActivation
          flow={flow}
          active={active}
          version={rollingBack.subject}
          nameOf={nameOf}
          onStarted={openRollouts}
          onClose={rollingBack.close}
        />
      )}
      {approving.subject && (
        <ApproveDialog
          flow={flow}
          active={active}
          version={approving.subject}
          nameOf={nameOf}
          onClose={approving.close}
        />
      )}
    </div>
  );
}
