import '../flows.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState } from '../../../ui/empty-state';
import { PageLoading } from '../../../ui/loading';
import { Page } from '../../../ui/page';
import { ProblemNotice } from '../../../ui/problem-notice';
import { WithScope } from '../../../ui/with-scope';
import { flowQuery, versionQuery } from '../flow-queries';
import { validEditorSearch } from '../editor-search';
import { FlowEditor } from './flow-editor';

const route = getRouteApi('/flows/$flowId');

export function FlowPage() {
  const id = Number(route.useParams().flowId);
  if (Number.isSafeInteger(id))
    return (
      <WithScope scope="flows:read" title="Flow">
        <FlowOf key={id} id={id} />
      </WithScope>
    );
  return (
    <Page title="Flow">
      <EmptyState title="Invalid flow id" />
    </Page>
  );
}

/** Shows the version in the address, or the active one. A version with unsaved changes stays when another becomes active. */
function FlowOf({ id }: { id: number }) {
  const search = validEditorSearch({ ...route.useSearch() });
  const [changed, setChanged] = useState<number>();
  const flow = useQuery(flowQuery(id));
  const version = search.version ?? changed ?? flow.data?.version;
  const shown = useQuery(versionQuery(id, version));
  const active = useQuery({ ...versionQuery(id, flow.data?.version), placeholderData: keepPreviousData });
  const retry = (): void => {
    for (const query of [flow, shown, active]) if (query.error) void query.refetch();
  };
  const error = flow.error ?? shown.error ?? active.error;
  if (!flow.data || !shown.data || !active.data)
    return <Page title="Flow">{error ? <ProblemNotice error={error} retry={retry} /> : <PageLoading />}</Page>;
  return (
    <FlowEditor
      key={shown.data.version}
      flow={flow.data}
      shown={shown.data}
      active={active.data}
      search={search}
      onChanged={setChanged}
    />
  );
}
