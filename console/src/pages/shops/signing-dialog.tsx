import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { ProblemNotice } from '../../ui/problem-notice';
import { shopChanged } from './shop-queries';

/** Adds a signing key to the shop, or removes it. */
export function SigningDialog({ shop, onClose }: { shop: Schema<'Shop'>; onClose: () => void }) {
  const toKey = shop.webhook_signing === 'shared_secret';
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const body = { webhook_signing: toKey ? ('public_key' as const) : ('shared_secret' as const) };
      return api.patch('/shops/{id}', { params: { path: { id: shop.id } }, body });
    },
    onSuccess: async () => {
      onClose();
      await shopChanged(shop.id);
    },
  });
  return (
    <Dialog
      title={toKey ? 'Also sign with a key?' : 'Sign with the secret only?'}
      onClose={onClose}
      actions={
        <Button variant={toKey ? 'primary' : 'danger'} isBusy={isPending} onClick={() => mutate()}>
          {toKey ? 'Add a key' : 'Delete the key'}
        </Button>
      }
    >
      {toKey ? (
        <p>
          <code>webhook-signature</code> then also contains a <code>v1a</code> signature. Receivers verify it with the
          shop’s public key and need no secret. The existing signatures stay.
        </p>
      ) : (
        <p>
          The key is deleted and its public key is no longer published. Receivers that verify <code>v1a</code> then
          refuse every webhook. Receivers that verify with the secret continue to work.
        </p>
      )}
      <ProblemNotice error={error} />
    </Dialog>
  );
}
