import { useState } from 'react';
import { Button } from './button';

/** Busy for who pressed it alone: what is read again by itself would take the focus away from it. */
export function RefreshButton({ onRefresh }: { onRefresh: () => Promise<unknown> }) {
  const [isBusy, setBusy] = useState(false);
  const refresh = async (): Promise<void> => {
    setBusy(true);
    await onRefresh();
    setBusy(false);
  };
  return (
    <Button isBusy={isBusy} onClick={() => void refresh()}>
      Refresh
    </Button>
  );
}
