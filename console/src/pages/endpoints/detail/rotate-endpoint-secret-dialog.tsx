import { api } from '../../../api/client';
import { type RotatedSecret, type RotationRequest, RotateSecretForm } from '../../shops/rotate-secret-form';
import { endpointsChanged } from '../endpoint-queries';

/** Rotates the secret of a standing endpoint. */
export function RotateEndpointSecretDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const rotate = async (body: RotationRequest): Promise<RotatedSecret> => {
    const { data } = await api.post('/webhooks/endpoints/{id}/rotate-secret', { params: { path: { id } }, body });
    return {
      secret: data.secret,
      activeFrom: data.secret_active_from,
      previousExpiresAt: data.previous_secret_expires_at,
    };
  };
  return <RotateSecretForm secretField="secret" rotate={rotate} onRotated={endpointsChanged} onClose={onClose} />;
}
