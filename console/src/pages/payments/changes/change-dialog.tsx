import type { ReactNode } from 'react';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { ProblemNotice } from '../../../ui/problem-notice';
import { isUnanswered } from './unanswered';

/** The result of a dialog. */
export interface Done {
  text: string;
  /** Whether the provider refused it. */
  isFailure?: boolean;
}

interface Props {
  title: string;
  /** The label of the button that makes the change. */
  action: string;
  onAction: () => void;
  onClose: () => void;
  isBusy: boolean;
  isDisabled?: boolean;
  error: unknown;
  /** How to go on when it is unknown whether the change was made. */
  unanswered: string;
  /** Text of a warning: when it appears, the focus moves to Cancel. */
  warning?: string | undefined;
  children: ReactNode;
}

/** A change of a payment that cannot be undone. It stays open after an error, so that the user can try again. */
export function ChangeDialog(props: Props) {
  const { title, action, onAction, onClose, isBusy, isDisabled = false, error, unanswered, warning, children } = props;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      closeLabel="Cancel"
      danger={warning ?? title}
      actions={
        <Button variant="danger" isBusy={isBusy} disabled={isDisabled} onClick={onAction}>
          {action}
        </Button>
      }
    >
      {children}
      {isUnanswered(error) ? (
        <div className="notice notice-bad" role="alert">
          <p>
            <strong>There was no answer. The change may or may not have been saved.</strong> {unanswered}
          </p>
        </div>
      ) : (
        <ProblemNotice error={error} />
      )}
    </Dialog>
  );
}
