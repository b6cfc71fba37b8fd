import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { ProblemNotice } from '../../../ui/problem-notice';
import { TestResult } from '../test-result';
import { ConformanceReport } from './conformance-report';

interface Props {
  sendTest: () => Promise<{ data: Schema<'WebhookTestResult'> }>;
  runConformance: () => Promise<{ data: Schema<'ConformanceRun'> }>;
  /** Whether the receiver can pass the conformance cases. */
  hasConformance?: boolean;
  /** The field of the form, with the error of the last request. */
  field: (error: unknown) => ReactNode;
}

/** A form that sends a test to a receiver or runs the conformance cases. Screen readers announce the result. */
export function ReceiverCheckCard({ sendTest, runConformance, hasConformance = true, field }: Props) {
  const test = useMutation({ mutationFn: sendTest });
  const conformance = useMutation({ mutationFn: runConformance });
  const start = (mutation: typeof test | typeof conformance): void => {
    test.reset();
    conformance.reset();
    mutation.mutate();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    start(test);
  };
  const error = test.error ?? conformance.error;
  return (
    <Card title="Test the receiver">
      <form className="receiver-check" onSubmit={submit}>
        {field(error)}
        <div className="actions">
          <Button type="submit" variant="primary" isBusy={test.isPending} disabled={conformance.isPending}>
            Send a test
          </Button>
          {hasConformance && (
            <Button isBusy={conformance.isPending} disabled={test.isPending} onClick={() => start(conformance)}>
              Run the conformance cases
            </Button>
          )}
        </div>
      </form>
      <ProblemNotice error={error} />
      <div aria-live="polite" className="stack">
        {conformance.isPending && <p className="muted">The cases are running. This takes up to 30 seconds.</p>}
        {test.data && <TestResult result={test.data.data} />}
        {conformance.data && <ConformanceReport run={conformance.data.data} />}
      </div>
    </Card>
  );
}
