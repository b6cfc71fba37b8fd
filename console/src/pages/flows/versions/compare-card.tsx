import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Card } from '../../../ui/card';
import { Select } from '../../../ui/field';
import { PageLoading } from '../../../ui/loading';
import { ProblemNotice } from '../../../ui/problem-notice';
import type { EditorSearch } from '../editor-search';
import type { Draft } from '../editor/use-draft';
import { type ShopNames, versionQuery } from '../flow-queries';
import { ChangeView } from './change-view';

interface Props {
  flow: Schema<'Flow'>;
  shown: Schema<'FlowVersion'>;
  search: EditorSearch;
  draft: Draft;
  versions: readonly number[];
  nameOf: ShopNames;
}

const EDITED = 'edited';

/** The differences of any two versions, including unsaved changes. */
export function CompareCard({ flow, shown, search, draft, versions, nameOf }: Props) {
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
        <ChangeView
          from={one.data.definition}
          to={after}
          caption="Differences"
          none="There are no differences."
          nameOf={nameOf}
        />
      ) : (
        !(one.error ?? other.error) && <PageLoading />
      )}
    </Card>
  );
}
