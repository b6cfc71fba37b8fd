import type { Schema } from '@payment-orchestrator/client';
import { PageLink } from '../../ui/page-link';

interface Props {
  shop: Schema<'Shop'>;
  faults: Schema<'ConfigurationFaults'>;
}

/** A warning if charges of the last 24 hours were refused because the shop's account does not have the payment method. */
export function UnusableNotice({ shop: { id, provider, provider_account: account }, faults }: Props) {
  const { last_day: lastDay, last_week: lastWeek } = faults;
  if (lastDay === 0) return null;
  return (
    <div className="notice notice-warn">
      <div className="stack">
        <p>
          <strong>
            {lastDay === 1 ? '1 charge was' : `${lastDay.toLocaleString()} charges were`} refused here in 24 hours (
            {lastWeek.toLocaleString()} in 7 days), because this account does not have the payment method.
          </strong>{' '}
          The code is <code>payment_method_unusable</code>.
        </p>
        <p>
          Usually the token was of another account. Name the account of each token in{' '}
          <code>payment_method.options</code>, here{' '}
          <code>
            {'{'} &quot;provider&quot;: &quot;{provider}&quot;, &quot;account&quot;: &quot;{account}&quot; {'}'}
          </code>
          . Then a flow sends a payment only to shops whose account has a token.
        </p>
        <p>
          <PageLink to="/payments" search={{ shop_id: String(id), status: 'failed' }}>
            Failed payments of this shop
          </PageLink>
        </p>
      </div>
    </div>
  );
}
