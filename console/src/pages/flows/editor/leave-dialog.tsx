import { useBlocker } from '@tanstack/react-router';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';

/** Asks before another page is opened, or the tab is closed, with unsaved changes. */
export function LeaveDialog({ isChanged }: { isChanged: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Dialog
      title="Leave with unsaved changes?"
      onClose={reset}
      closeLabel="Stay"
      actions={
        <Button variant="primary" onClick={proceed}>
          Leave
        </Button>
      }
    >
      <p>They are kept in this tab until it is closed: open the flow again to go on with them.</p>
    </Dialog>
  );
}
