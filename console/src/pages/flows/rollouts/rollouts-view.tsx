import type { Schema } from '@payment-orchestrator/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { LiveEvent } from '../../../api/live-events';
import { useList } from '../../../api/use-list';
import { useLiveRefresh } from '../../../api/use-live-refresh';
import { Badge } from '../../../ui/badge';
import type { Column } from '../../../ui/data-table';
import { EmptyState } from '../../../ui/empty-state';
import { List } from '../../../ui/list';
import { StepBy } from '../../../ui/step-by';
import type { EditorSearch } from '../editor-search';
import { STATUS_TONES } from './rollout-card';
import { endText, percentOf } from './rollout-texts';
import { ShownRollout } from './shown-rollout';

type Flow = Schema<'Flow'>;
type Rollout = Schema<'Rollout'>;

interface Props {
  flow: Flow;
  search: EditorSearch;
}

/** The running rollout of a flow, or the chosen one, and all that have ended. */
export function RolloutsView({ flow, search }: Props) {
  const navigate = useNavigate();
  const running = flow.rollout?.id;
  // a rollout that its guardrail ends stays on the page
  const [last, setLast] = useState(running);
  if (running !== undefined && running !== last) setLast(running);
  const [chosen, setChosen] = useState<number>();
  useLiveRefresh(['/flows/{id}', flow.id], { concerns: isOfFlows });
  useLiveRefresh(['/flows/{id}/rollouts', { id: flow.id }], { concerns: isOfFlows });
  const list = useList('/flows/{id}/rollouts', { path: { id: flow.id } });
  const ended = list.rows?.filter(({ status }) => status !== 'running');
  // without a running one the newest stays in view, so that its result is not lost
  const shown = search.rollout ?? running ?? last ?? ended?.[0]?.id;
  const keep = (rollout: number): void =>
    void navigate({
      to: '/flows/$flowId',
      params: { flowId: String(flow.id) },
      search: { tab: 'rollouts', rollout },
      replace: true,
      resetScroll: false,
    });
  return (
    <div className="stack">
      {shown !== undefined && (
        <ShownRollout
          key={shown}
          flowId={flow.id}
          id={shown}
          onEnding={() => keep(shown)}
          takesFocus={chosen === shown}
        />
      )}
      <List
        list={{ ...list, rows: ended }}
        caption="Ended rollouts, newest first"
        columns={columnsOf(flow.id, setChosen)}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title={running === undefined ? 'No rollouts yet' : 'No rollout has ended yet'}>
            <p>
              A rollout gives a new version only a part of the payments, and compares it with the active one. To start
              one, change the flow or open a draft, and choose “Roll out to a part …” in the dialog of its activation.
            </p>
          </EmptyState>
        }
      />
    </div>
  );
}

const isOfFlows = ({ type }: LiveEvent): boolean => type.startsWith('flow.');

const columnsOf = (flowId: number, onChoose: (id: number) => void): Column<Rollout>[] => [
  {
    title: 'Rollout',
    cell: ({ id, version, base_version: base }) => (
      <>
        <Link
          to="/flows/$flowId"
          params={{ flowId: String(flowId) }}
          search={{ tab: 'rollouts', rollout: id }}
          resetScroll={false}
          onClick={() => onChoose(id)}
        >
          Version {version}
        </Link>{' '}
        <span className="small muted nowrap">against {base}</span>
      </>
    ),
  },
  {
    title: 'End',
    cell: (rollout) => <Badge tone={STATUS_TONES[rollout.status]}>{endText(rollout)}</Badge>,
  },
  { title: 'Last percent', isNumber: true, cell: ({ percent }) => percentOf(percent) },
  {
    title: 'Started',
    cell: ({ started_at: at, started_by: by, reason }) => <StepBy at={at} by={by} reason={reason} />,
  },
  {
    title: 'Ended',
    cell: ({ ended_at: at, ended_by: by, end_reason: reason }) =>
      at === null ? null : <StepBy at={at} by={by} reason={reason} />,
  },
];
