import type { Schema } from '@payment-orchestrator/client';
import { PageLink } from '../../ui/page-link';
import { Time } from '../../ui/values';

/** The shop's warning that its account did not have the payment methods of payments. */
export function UnusableNotice({ shop }: { shop: Schema<'ShopWithHealth'> }) {
  const { id, provider, provider_account: account } = shop;
  const warning = shop.warnings.find(({ code }) => code === 'payment_method_unusable');
  if (!warning) return null;
  const { payments, since } = warning;
  return (
    <div className="notice notice-warn">
      <div className="stack">
        <p>
          <strong>
            {payments === 1 ? '1 payment was' : `${payments.toLocaleString()} payments were`} refused here in 24 hours,
            because this account does not have the payment method.
          </strong>{' '}
          The first was at <Time value={since} />. The code is <code>{warning.code}</code>.
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
