import type { Schema } from '@payment-orchestrator/client';
import { ProblemNotice } from '../../../ui/problem-notice';
import { ConformanceReport } from './conformance-report';
import { TestResult } from '../test-result';

interface Props {
  error: unknown;
  isRunning: boolean;
  test: Schema<'WebhookTestResult'> | undefined;
  conformance: Schema<'ConformanceRun'> | undefined;
}

/** The result of a test or a conformance run, which screen readers announce. */
export const CheckResults = ({ error, isRunning, test, conformance }: Props) => (
  <>
    <ProblemNotice error={error} />
    <div aria-live="polite" className="stack">
      {isRunning && <p className="muted">The cases are running. This takes up to 30 seconds.</p>}
      {test && <TestResult result={test} />}
      {conformance && <ConformanceReport run={conformance} />}
    </div>
  </>
);
