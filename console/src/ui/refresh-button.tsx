import { useState } from 'react';
import { Button } from './button';

/** Shows itself busy only after a click, not during automatic reads. */
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
