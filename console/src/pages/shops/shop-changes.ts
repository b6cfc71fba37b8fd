import type { Schema } from '@payment-orchestrator/client';

type Editable = Pick<Schema<'Shop'>, 'name' | 'provider_account' | 'enabled'>;

/** The fields that the user has changed. Other fields are not sent, so changes by other users are kept. */
export const shopChanges = (opened: Editable, typed: Editable): Partial<Editable> => ({
  ...(typed.name !== opened.name && { name: typed.name }),
  ...(typed.provider_account !== opened.provider_account && { provider_account: typed.provider_account }),
  ...(typed.enabled !== opened.enabled && { enabled: typed.enabled }),
});
