import { api } from '../../api/client';
import { type RotatedSecret, type RotationRequest, RotateSecretForm } from './rotate-secret-form';
import { shopChanged } from './shop-queries';

/** Rotates the webhook secret of a shop. */
export function RotateSecretDialog({ shopId, onClose }: { shopId: number; onClose: () => void }) {
  const rotate = async ({ secret, ...times }: RotationRequest): Promise<RotatedSecret> => {
    const body = { ...times, ...(secret !== undefined && { webhook_secret: secret }) };
    const { data } = await api.post('/shops/{id}/webhook-secret/rotate', { params: { path: { id: shopId } }, body });
    return {
      secret: data.webhook_secret,
      activeFrom: data.webhook_secret_active_from,
      previousExpiresAt: data.previous_webhook_secret_expires_at,
    };
  };
  return (
    <RotateSecretForm
      secretField="webhook_secret"
      rotate={rotate}
      onRotated={() => shopChanged(shopId)}
      onClose={onClose}
    />
  );
}
