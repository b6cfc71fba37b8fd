import { useBlocker } from '@tanstack/react-router';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';

/** Asks for confirmation before the user leaves the page or closes the tab with unsaved changes. */
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
      <p>Your changes are kept in this tab until you close it. Open the flow again to continue.</p>
    </Dialog>
  );
}
