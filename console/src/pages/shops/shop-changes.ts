import type { Schema } from '@payment-orchestrator/client';

type Editable = Pick<Schema<'Shop'>, 'name' | 'enabled'>;

/** What was changed in the dialog: all else stays as others have set it since it was opened. */
export const shopChanges = (opened: Editable, typed: Editable): Partial<Editable> => ({
  ...(typed.name !== opened.name && { name: typed.name }),
  ...(typed.enabled !== opened.enabled && { enabled: typed.enabled }),
});
