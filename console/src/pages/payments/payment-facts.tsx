import type { Schema } from '@payment-orchestrator/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../../ui/card';
import { FlowName } from '../../ui/flow-name';
import { ObjectLink } from '../../ui/object-link';
import { Code, Facts, Id, Money, None, Time } from '../../ui/values';
import { methodFacts } from './payment-method/method-facts';

type Payment = Schema<'Payment'>;

/** The amounts of a payment. Each one that is 0 is shown as none or pending, except the amount itself. */
function amountsOf(payment: Payment): [name: string, value: ReactNode][] {
  const { currency, capture_before: before } = payment;
  const amounts: [name: string, amount: number, isPending?: boolean][] = [
    ['Authorised', payment.amount_authorized],
    ['Captured', payment.amount_captured, payment.capture_pending],
    ['Refunded', payment.amount_refunded],
    ['Disputed', payment.disputed_amount],
  ];
  return [
    ['Amount', <Money key="amount" amount={payment.amount} currency={currency} />],
    ...amounts.map(([name, amount, isPending = false]): [string, ReactNode] => {
      if (amount > 0) return [name, <Money key={name} amount={amount} currency={currency} />];
      return [name, isPending ? 'pending' : <None key={name} />];
    }),
    ...(before === null
      ? []
      : [['Capture before', <Time key="before" value={before} />] satisfies [string, ReactNode]]),
  ];
}

export const PaymentFacts = ({ payment }: { payment: Payment }) => (
  <Card title="Payment">
    <Facts facts={amountsOf(payment)} />
    <hr className="line" />
    <Facts
      facts={[
        [
          'Shop',
          <ObjectLink key="shop" type="shop" id={payment.shop.id}>
            {payment.shop.name}
          </ObjectLink>,
        ],
        ['Flow', <FlowName key="flow" id={payment.flow_id} />],
        ['Created', <Time key="created" value={payment.created_at} />],
        ['Last change', <Time key="updated" value={payment.updated_at} />],
        ['Expires', <Time key="expires" value={payment.expires_at} />],
        ['Provider', payment.payment_provider],
        ['Country', payment.country],
        ['Session id', <Id key="session" value={payment.payment_session_id} />],
        ['Transaction id', <Id key="transaction" value={payment.provider_transaction_id} />],
        ['Webhook address', payment.webhook_endpoint],
      ]}
    />
    <MethodFacts method={payment.payment_method} />
    {payment.charged_after_end && (
      <p className="notice notice-warn">
        A provider charged this payment after it had ended or moved to another shop. The charge is refunded.
      </p>
    )}
  </Card>
);

/** Facts about the payment method, as the request gave them. */
function MethodFacts({ method }: { method: Payment['payment_method'] }) {
  const facts = methodFacts(method ?? {});
  if (facts.length === 0) return null;
  return (
    <>
      <hr className="line" />
      <Facts facts={facts} />
    </>
  );
}

export const NextActionNotice = ({ payment: { next_action: action } }: { payment: Payment }) =>
  action && (
    <div className="notice" role="status">
      <div>
        <strong>The payer must act before this payment can continue.</strong>
        {action.type === 'redirect' ? (
          <p>
            {action.type}: {action.method} <code>{action.url}</code>
          </p>
        ) : (
          <p>
            {action.type}: the script of <code>{action.provider}</code> in your page must carry it out, with the{' '}
            <code>data</code> of <code>next_action</code>.
          </p>
        )}
      </div>
    </div>
  );

/** The known fields of the customer, with their names in the API. */
export function CustomerCard({ payment: { customer } }: { payment: Payment }) {
  if (customer === null)
    return (
      <Card title="Customer">
        <p className="muted">The payment has no customer.</p>
      </Card>
    );
  const { id, ...fields } = customer;
  const facts = Object.entries(fields).map(([name, value]): [string, ReactNode] => [name.replaceAll('_', ' '), value]);
  return (
    <Card
      title={`Customer ${id}`}
      actions={
        <Link to="/payments" search={{ customer_id: String(id) }}>
          All payments
        </Link>
      }
    >
      {facts.length > 0 ? (
        <Facts facts={facts} />
      ) : (
        <p className="muted">No further data is stored, or it was erased.</p>
      )}
    </Card>
  );
}

/** Plain text keeps its own writing direction; other values are shown as JSON. */
export function MetadataCard({ payment }: { payment: Payment }) {
  const { metadata, provider_metadata: providerMetadata } = payment;
  return (
    <Card title="Metadata">
      {Object.keys(metadata).length === 0 ? (
        <p className="muted">The payment has no metadata.</p>
      ) : (
        <Facts facts={Object.entries(metadata).map(([name, value]) => [name, valueOf(value)])} />
      )}
      {Object.keys(providerMetadata).length > 0 && (
        <details>
          <summary>Provider metadata</summary>
          <Code value={providerMetadata} />
        </details>
      )}
    </Card>
  );
}

function valueOf(value: unknown): ReactNode {
  if (typeof value === 'object' && value !== null) return <code>{JSON.stringify(value)}</code>;
  return String(value);
}
