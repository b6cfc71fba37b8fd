import { useParams } from '@tanstack/react-router';
import { StatusBadge } from '../../ui/badge';
import { EmptyState } from '../../ui/empty-state';
import { PageLoading } from '../../ui/loading';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { Money } from '../../ui/values';
import { WithScope } from '../../ui/with-scope';
import { DecisionCard } from './decision-card';
import { PaymentActions } from './payment-actions';
import { CustomerCard, MetadataCard, NextActionNotice, PaymentFacts } from './payment-facts';
import { TimelineCard } from './timeline-card';
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
  const { payment, story, changed } = usePayment(id);
  const { data } = payment;
  const retry = (): void => void payment.refetch();
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
        </span>
      }
    >
      <PaymentActions payment={data} operations={story.data?.operations} changed={changed} />
      <ProblemNotice error={payment.error} retry={retry} />
      <NextActionNotice payment={data} />
      <PaymentFacts payment={data} />
      <ProblemNotice error={story.error} retry={() => void story.refetch()} />
      {story.data ? (
        <div className="payment-columns">
          <TimelineCard payment={data} story={story.data} />
          <div className="payment-side">
            <DecisionCard decision={story.data.decision} attempts={story.data.attempts} flowId={data.flow_id} />
            <CustomerCard payment={data} />
            <MetadataCard payment={data} />
          </div>
        </div>
      ) : (
        !story.error && <PageLoading />
      )}
    </Page>
  );
}
