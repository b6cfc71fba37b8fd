import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { ProblemNotice } from '../../ui/problem-notice';
import { shopChanged } from './shop-queries';

/** Between signing with the secret alone, and with a key of the shop's own besides. */
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
      title={toKey ? 'Sign with a key of its own, too?' : 'Sign with the secret alone?'}
      onClose={onClose}
      actions={
        <Button variant={toKey ? 'primary' : 'danger'} isBusy={isPending} onClick={() => mutate()}>
          {toKey ? 'Add a key' : 'Destroy the key'}
        </Button>
      }
    >
      {toKey ? (
        <p>
          <code>webhook-signature</code> then carries <code>v1a</code>, too, which receivers verify with the public keys
          of the shop, without knowing a secret. What is there by now stays.
        </p>
      ) : (
        <p>
          The key is destroyed and its public half no longer published: receivers that verify <code>v1a</code> refuse
          every webhook from now on. Those that verify with the secret go on.
        </p>
      )}
      <ProblemNotice error={error} />
    </Dialog>
  );
}
