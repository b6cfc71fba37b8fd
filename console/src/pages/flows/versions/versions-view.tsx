import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useList } from '../../../api/use-list';
import { Card } from '../../../ui/card';
import { Select } from '../../../ui/field';
import { List } from '../../../ui/list';
import { PageLoading } from '../../../ui/loading';
import { ProblemNotice } from '../../../ui/problem-notice';
import { Badge } from '../../../ui/badge';
import { Time } from '../../../ui/values';
import { versionQuery } from '../flow-queries';
import { readDraft } from '../model/kept-draft';
import type { EditorSearch } from '../editor-search';
import { DiffView } from './diff-view';
import type { Draft } from '../editor/use-draft';

interface Props {
  flow: Schema<'Flow'>;
  shown: Schema<'FlowVersion'>;
  search: EditorSearch;
  draft: Draft;
}

const TONES = { active: 'good', draft: 'info', retired: 'neutral' } as const;

/** All versions, and a comparison of any two, including unsaved changes. */
export function VersionsView(props: Props) {
  const { flow } = props;
  const list = useList('/flows/{id}/versions', { path: { id: flow.id } });
  return (
    <div className="stack">
      <Compare {...props} versions={list.rows?.map(({ version }) => version) ?? []} />
      <List
        list={list}
        caption="Versions, newest first"
        columns={[
          { title: 'Version', cell: ({ version }) => <VersionLink flowId={flow.id} version={version} /> },
          { title: 'Status', cell: ({ status }) => <Badge tone={TONES[status]}>{status}</Badge> },
          { title: 'Strategy', cell: ({ definition }) => <code>{definition.strategy}</code> },
          {
            title: 'Created',
            cell: ({ created_at, activated_at }) => (
              <>
                <Time value={created_at} />
                {activated_at && (
                  <span className="small muted version-activated">
                    activated <Time value={activated_at} />
                  </span>
                )}
              </>
            ),
          },
        ]}
        rowKey={({ version }) => version}
        empty={<p>No versions.</p>}
      />
    </div>
  );
}

const VersionLink = ({ flowId, version }: { flowId: number; version: number }) => (
  <>
    <Link to="/flows/$flowId" params={{ flowId: String(flowId) }} search={{ version }}>
      {version}
    </Link>
    {readDraft(sessionStorage, flowId, version) && <span className="small muted"> with unsaved changes</span>}
  </>
);

const EDITED = 'edited';

function Compare({ flow, shown, search, draft, versions }: Props & { versions: readonly number[] }) {
  const navigate = useNavigate();
  const { from = flow.version, to } = search;
  const one = useQuery(versionQuery(flow.id, from));
  const other = useQuery(versionQuery(flow.id, to));
  const choose = (change: Pick<EditorSearch, 'from' | 'to'>): void =>
    void navigate({
      to: '/flows/$flowId',
      params: { flowId: String(flow.id) },
      search: { ...search, ...change },
      replace: true,
      resetScroll: false,
    });
  const known = [...new Set([...versions, from, ...(to === undefined ? [] : [to])])].sort((a, b) => b - a);
  const options = known.map((version) => ({ value: String(version), label: `Version ${version}` }));
  const after = to === undefined ? draft.definition : other.data?.definition;
  const edited = { value: EDITED, label: `Version ${shown.version} with your changes` };
  return (
    <Card title="Compare">
      <div className="columns-2">
        <Select
          label="Before"
          options={options}
          value={String(from)}
          onChange={({ target }) => choose({ from: Number(target.value) })}
        />
        <Select
          label="After"
          options={[edited, ...options]}
          value={String(to ?? EDITED)}
          onChange={({ target: { value } }) => choose({ to: value === EDITED ? undefined : Number(value) })}
        />
      </div>
      <ProblemNotice error={one.error ?? other.error} />
      {one.data && after ? (
        <DiffView from={one.data.definition} to={after} caption="Differences" none="There are no differences." />
      ) : (
        !(one.error ?? other.error) && <PageLoading />
      )}
    </Card>
  );
}
