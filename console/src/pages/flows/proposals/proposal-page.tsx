import '../flows.css';
import './proposals.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useLiveRefresh } from '../../../api/use-live-refresh';
import { EmptyState } from '../../../ui/empty-state';
import { PageLoading } from '../../../ui/loading';
import { Page } from '../../../ui/page';
import { ProblemNotice } from '../../../ui/problem-notice';
import { WithScope } from '../../../ui/with-scope';
import { flowQuery, versionQuery } from '../flow-queries';
import { ProposalView } from './proposal-view';

const route = getRouteApi('/flows/$flowId/proposals/$version');

export function ProposalPage() {
  const params = route.useParams();
  const [flowId, version] = [Number(params.flowId), Number(params.version)];
  if (Number.isSafeInteger(flowId) && Number.isSafeInteger(version))
    return (
      <WithScope scope="flows:read" title="Proposal">
        <Proposal key={`${flowId} ${version}`} flowId={flowId} version={version} />
      </WithScope>
    );
  return (
    <Page title="Proposal">
      <EmptyState title="Invalid flow or version" />
    </Page>
  );
}

function Proposal({ flowId, version }: { flowId: number; version: number }) {
  const flow = useQuery(flowQuery(flowId));
  const shown = useQuery(versionQuery(flowId, version));
  const active = useQuery({ ...versionQuery(flowId, flow.data?.version), placeholderData: keepPreviousData });
  const concerns = ({ type }: { type: string }): boolean => type.startsWith('flow.') || type === 'approval.requested';
  useLiveRefresh(['/flows/{id}', flowId], { concerns });
  useLiveRefresh(['/flows/{id}/versions/{version}', flowId], { concerns });
  const retry = (): void => {
    for (const query of [flow, shown, active]) if (query.error) void query.refetch();
  };
  const error = flow.error ?? shown.error ?? active.error;
  if (!flow.data || !shown.data || !active.data)
    return <Page title="Proposal">{error ? <ProblemNotice error={error} retry={retry} /> : <PageLoading />}</Page>;
  return <ProposalView flow={flow.data} active={active.data} version={shown.data} />;
}
