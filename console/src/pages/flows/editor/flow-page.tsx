import '../flows.css';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { EmptyState } from '../../../ui/empty-state';
import { PageLoading } from '../../../ui/loading';
import { Page } from '../../../ui/page';
import { ProblemNotice } from '../../../ui/problem-notice';
import { flowQuery, versionQuery } from '../flow-queries';
import { FlowEditor } from './flow-editor';

const route = getRouteApi('/flows/$flowId');

/** The active version, or the one that the address names. */
export function FlowPage() {
  const id = Number(route.useParams().flowId);
  const search = route.useSearch();
  const flow = useQuery({ ...flowQuery(id), enabled: Number.isSafeInteger(id) });
  const shown = useQuery(versionQuery(id, search.version ?? flow.data?.version));
  const active = useQuery(versionQuery(id, flow.data?.version));
  if (!Number.isSafeInteger(id))
    return (
      <Page title="Flow">
        <EmptyState title="A flow’s id is a number" />
      </Page>
    );
  const retry = (): void => {
    for (const query of [flow, shown, active]) if (query.error) void query.refetch();
  };
  const error = flow.error ?? shown.error ?? active.error;
  if (flow.data && shown.data && active.data) {
    const { data } = flow;
    return (
      <FlowEditor
        key={`${id} ${shown.data.version}`}
        flow={data}
        shown={shown.data}
        active={active.data}
        search={search}
      />
    );
  }
  return <Page title="Flow">{error ? <ProblemNotice error={error} retry={retry} /> : <PageLoading />}</Page>;
}
