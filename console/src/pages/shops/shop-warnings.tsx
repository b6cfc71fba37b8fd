import type { Schema } from '@payment-orchestrator/client';
import { PageLink } from '../../ui/page-link';
import { Time } from '../../ui/values';

/** The shop's warnings: its account did not have the payment methods of payments, or a permission for them. */
export const ShopWarnings = ({ shop }: { shop: Schema<'ShopWithHealth'> }) =>
  shop.warnings.map((warning) => <Warning key={warning.code} shop={shop} warning={warning} />);

function Warning({ shop, warning }: { shop: Schema<'ShopWithHealth'>; warning: Schema<'ShopWarning'> }) {
  const { id, provider, provider_account: account } = shop;
  const { code, payments, since } = warning;
  const isPermission = code === 'permission_missing';
  return (
    <div className="notice notice-warn">
      <div className="stack">
        <p>
          <strong>
            {payments === 1 ? '1 payment was' : `${payments.toLocaleString()} payments were`} refused here in 24 hours,
            because{' '}
            {isPermission ? 'the credentials lack a permission' : 'this account does not have the payment method'}.
          </strong>{' '}
          The first was at <Time value={since} />. The code is <code>{code}</code>.
        </p>
        {isPermission ? (
          <p>Give the key the missing permission at {provider}.</p>
        ) : (
          <p>
            Usually the token was of another account. Name the account of each token in{' '}
            <code>payment_method.options</code>, here{' '}
            <code>
              {'{'} &quot;provider&quot;: &quot;{provider}&quot;, &quot;account&quot;: &quot;{account}&quot; {'}'}
            </code>
            . Then a flow sends a payment only to shops whose account has a token.
          </p>
        )}
        <p>
          <PageLink to="/payments" search={{ shop_id: String(id), status: 'failed' }}>
            Failed payments of this shop
          </PageLink>
        </p>
      </div>
    </div>
  );
}
