import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useCan } from '../../api/session';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { useDialog } from '../../ui/use-dialog';
import { Id, Time } from '../../ui/values';
import { CurrentRotation } from './current-rotation';
import { RotateKeyDialog } from './rotate-key-dialog';
import { RotateSecretDialog } from './rotate-secret-dialog';
import { webhookStatsQuery } from './shop-queries';
import { SigningDialog } from './signing-dialog';
import { MissingRight } from '../../ui/missing-right';

type Shop = Schema<'ShopWithHealth'>;
type Open = 'secret' | 'key' | 'signing';

/** The secrets and keys that sign the shop's webhooks, and a running rotation. */
export function SigningCard({ shop }: { shop: Shop }) {
  const dialog = useDialog<Open>();
  const mayWrite = useCan('shops:write');
  const hasKey = shop.webhook_signing === 'public_key';
  const action = (name: Open, label: string): ReactNode =>
    mayWrite && <Button onClick={() => dialog.open(name)}>{label}</Button>;
  return (
    <Card title="Webhook signatures">
      <dl className="signing">
        <dt>Signed with</dt>
        <dd>{hasKey ? 'the secret and an ed25519 key' : 'the secret'}</dd>
        <dd>{action('signing', 'Change signing')}</dd>
        <dt>Secret</dt>
        <dd>
          <Secret shopId={shop.id} />
        </dd>
        <dd>{action('secret', 'Rotate secret')}</dd>
        {hasKey && (
          <>
            <dt>Public keys</dt>
            <dd>
              <PublicKeys shop={shop} />
            </dd>
            <dd>{action('key', 'Rotate key')}</dd>
          </>
        )}
      </dl>
      <CurrentRotation
        activeFrom={shop.webhook_rotation.secret_active_from}
        expiresAt={shop.webhook_rotation.previous_secret_expires_at}
      />
      {dialog.subject === 'secret' && <RotateSecretDialog shopId={shop.id} onClose={dialog.close} />}
      {dialog.subject === 'key' && <RotateKeyDialog shopId={shop.id} onClose={dialog.close} />}
      {dialog.subject === 'signing' && <SigningDialog shop={shop} onClose={dialog.close} />}
    </Card>
  );
}

const PublicKeys = ({ shop: { id, webhook_rotation: rotation } }: { shop: Shop }) => (
  <>
    <a href={`/shops/${id}/jwks.json`} target="_blank" rel="noreferrer">
      jwks.json
    </a>
    {rotation.previous_key_expires_at !== null && (
      <>
        {' '}
        (the previous key also signs until <Time value={rotation.previous_key_expires_at} />)
      </>
    )}
  </>
);

/** The webhook secret, shown only after a click. */
function Secret({ shopId }: { shopId: number }) {
  const [isShown, setShown] = useState(false);
  const mayReadStats = useCan('webhooks:read');
  const mayReadSecrets = useCan('webhooks:secrets');
  const mayRead = mayReadStats && mayReadSecrets;
  const { data } = useQuery({ ...webhookStatsQuery(shopId), enabled: mayRead });
  if (!mayRead)
    return (
      <span className="muted">
        <MissingRight scope="webhooks:secrets" />
      </span>
    );
  if (isShown && data?.webhook_secret) return <Id value={data.webhook_secret} />;
  return (
    <Button onClick={() => setShown(true)} disabled={!data}>
      Show
    </Button>
  );
}
