import type { Schema } from '@payment-orchestrator/client';
import { Badge } from '../../../ui/badge';
import type { Column } from '../../../ui/data-table';
import { DataTable } from '../../../ui/data-table';

type Case = Schema<'ConformanceCaseResult'>;

/** The cases of a conformance run, failed ones first. */
export function ConformanceReport({ run: { passed, cases } }: { run: Schema<'ConformanceRun'> }) {
  const failed = cases.filter((each) => !each.passed);
  const rows = [...failed, ...cases.filter((each) => each.passed)];
  const unproven = cases.filter((each) => each.unproven !== null).length;
  return (
    <section aria-label="Report of the conformance run" className="stack">
      <p className={`notice ${passed ? 'notice-good' : 'notice-bad'}`}>
        {passed
          ? `The receiver passed all ${cases.length} cases.${unproven > 0 ? ` The answers cannot prove everything: see the notes at ${unproven} cases.` : ''}`
          : `The receiver failed ${failed.length} of ${cases.length} cases. The failed cases come first.`}
      </p>
      <DataTable caption="Cases of the conformance run" columns={COLUMNS} rows={rows} rowKey={({ name }) => name} />
    </section>
  );
}

const Result = ({ passed }: { passed: boolean }) => (
  <Badge tone={passed ? 'good' : 'bad'}>{passed ? 'passed' : 'failed'}</Badge>
);

const COLUMNS: Column<Case>[] = [
  {
    title: 'Case',
    cell: ({ name, sent }) => (
      <div>
        <code>{name}</code>
        <div className="small">{sent}</div>
      </div>
    ),
  },
  {
    title: 'Result',
    cell: ({ passed }) => <Result passed={passed} />,
  },
  { title: 'Expected', cell: ({ expected }) => expected },
  {
    title: 'Got',
    cell: ({ got, advice, unproven }) => (
      <div>
        {got}
        {advice !== null && (
          <div className="small">
            <strong>To do:</strong> {advice}
          </div>
        )}
        {unproven !== null && (
          <div className="small">
            <strong>Not proven by the answer:</strong> {unproven}
          </div>
        )}
      </div>
    ),
  },
];
