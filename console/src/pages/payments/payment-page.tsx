import type { Schema } from '@payment-orchestrator/client';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { StatusBadge } from '../../ui/badge';
import { EmptyState } from '../../ui/empty-state';
import { PageLoading } from '../../ui/loading';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { Money } from '../../ui/values';
import { WithScope } from '../../ui/with-scope';
import type { Done } from './changes/change-dialog';
import { DecisionCard } from './decision-card';
import { DisputesCard } from './disputes-card';
import { OpenOperationsCard } from './open-operations-card';
import { PaymentActions } from './payment-actions';
import { CustomerCard, MetadataCard, NextActionNotice, PaymentFacts } from './payment-facts';
import { SavedMethodsCard } from './payment-method/saved-methods-card';
import { processingText } from './processing-text';
import { RefundsCard } from './refunds-card';
import { TimelineCard } from './timeline/timeline-card';
import { usePayment } from './use-payment';
import './payments.css';

export function PaymentPage() {
  const { paymentId } = useParams({ from: '/payments/$paymentId' });
  const id = Number(paymentId);
  const title = `Payment ${paymentId}`;
  if (!Number.isSafeInteger(id) || id < 1)
    return (
      <Page title={title}>
        <EmptyState title="Invalid payment id">
          <p>Payment ids are numbers. Use the search to find a payment by its session id or transaction id.</p>
        </EmptyState>
      </Page>
    );
  return (
    <WithScope scope="payments:read" title={title}>
      <Payment key={id} id={id} />
    </WithScope>
  );
}

function Payment({ id }: { id: number }) {
  const { payment, story, readAgain } = usePayment(id);
  const [result, setResult] = useState<Done>();
  const { data } = payment;
  const retry = (): void => void payment.refetch();
  const changed = (done?: Done, now?: Schema<'Payment'>): void => {
    setResult(done);
    readAgain(now);
  };
  if (data === undefined)
    return (
      <Page title={`Payment ${id}`}>
        {payment.error ? <ProblemNotice error={payment.error} retry={retry} /> : <PageLoading />}
      </Page>
    );
  return (
    <Page
      title={`Payment ${id}`}
      heading={
        <span className="payment-heading">
          Payment {id} <Money amount={data.amount} currency={data.currency} /> <StatusBadge status={data.status} />
          <span className="muted small">{processingText(data, payment.dataUpdatedAt)}</span>
        </span>
      }
    >
      <PaymentActions payment={data} operations={story.data?.operations} changed={changed} />
      {result && (
        <p className={`notice notice-${result.isFailure ? 'bad' : 'good'}`} role="status">
          {result.text}
        </p>
      )}
      <ProblemNotice error={payment.error} retry={retry} />
      <NextActionNotice payment={data} />
      <PaymentFacts payment={data} />
      <ProblemNotice error={story.error} retry={() => void story.refetch()} />
      {story.data ? (
        <>
          <OpenOperationsCard paymentId={id} operations={story.data.operations} changed={changed} />
          <DisputesCard disputes={story.data.disputes} now={story.dataUpdatedAt} />
          {(data.amount_captured > 0 || data.amount_refunded > 0) && <RefundsCard paymentId={id} />}
          <div className="payment-columns">
            <TimelineCard payment={data} story={story.data} />
            <div className="payment-side">
              <DecisionCard decision={story.data.decision} attempts={story.data.attempts} flowId={data.flow_id} />
              <CustomerCard payment={data} />
              {data.customer && <SavedMethodsCard customerId={data.customer.id} />}
              <MetadataCard payment={data} />
            </div>
          </div>
        </>
      ) : (
        !story.error && <PageLoading />
      )}
    </Page>
  );
}
