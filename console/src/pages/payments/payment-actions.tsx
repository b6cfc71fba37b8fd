import type { Schema } from '@payment-orchestrator/client';
import { useCan } from '../../api/session';
import { Button } from '../../ui/button';
import { closeOnEscape } from '../../ui/close-on-escape';
import { MissingRight } from '../../ui/missing-right';
import { useDialog } from '../../ui/use-dialog';
import { CopyButton } from '../../ui/values';
import { ACTION_LABELS, type ActionName, ACTIONS, obstacle } from './actions';
import { ActionDialog } from './action-dialog';
import { CaptureDialog } from './changes/capture-dialog';
import type { Done } from './changes/change-dialog';
import { RefundDialog } from './changes/refund-dialog';
import { commandsOf, toCurl } from './curl';

interface Props {
  payment: Schema<'Payment'>;
  /** `undefined`: not read yet. */
  operations: Schema<'PaymentOperation'>[] | undefined;
  /** Shows the result, and the payment as it is now if the answer has it; without arguments, reads the payment again. */
  changed: (result?: Done, payment?: Schema<'Payment'>) => void;
}

/** The actions of a payment, and the reasons why some are disabled. */
export function PaymentActions({ payment, operations, changed }: Props) {
  const confirming = useDialog<ActionName>();
  const mayWrite = useCan('payments:write');
  const obstacles = ACTIONS.map((action) => [action, obstacle(action, payment, operations ?? [])] as const);
  const reasons = obstacles.flatMap(([, reason]) => reason ?? []);
  return (
    <div className="stack">
      <div className="actions">
        {mayWrite &&
          obstacles.map(([action, reason]) => (
            <Button
              key={action}
              disabled={reason !== undefined || operations === undefined}
              aria-describedby={reason === undefined ? undefined : 'payment-obstacles'}
              onClick={() => confirming.open(action)}
            >
              {ACTION_LABELS[action]}
            </Button>
          ))}
        <CurlMenu id={payment.id} />
      </div>
      {mayWrite ? (
        operations && (
          <p id="payment-obstacles" className="small muted">
            {reasons.join(' ')}
          </p>
        )
      ) : (
        <p className="small muted">
          <MissingRight scope="payments:write" />
        </p>
      )}
      {confirming.subject !== undefined && (
        <Confirmation
          action={confirming.subject}
          payment={payment}
          close={confirming.close}
          done={(result, now) => {
            confirming.close();
            changed(result, now);
          }}
          onError={() => changed()}
        />
      )}
    </div>
  );
}

interface ConfirmationProps {
  action: ActionName;
  payment: Schema<'Payment'>;
  close: () => void;
  done: (result: Done, payment?: Schema<'Payment'>) => void;
  onError: () => void;
}

function Confirmation({ action, ...props }: ConfirmationProps) {
  if (action === 'capture') return <CaptureDialog {...props} />;
  if (action === 'refund') return <RefundDialog {...props} />;
  return <ActionDialog action={action} {...props} />;
}

const CurlMenu = ({ id }: { id: number }) => (
  <details className="menu payment-curl" onKeyDown={closeOnEscape}>
    <summary className="button">Copy as curl</summary>
    <div className="menu-panel">
      <p className="small muted">
        Set <code>$TOKEN</code> to a token from <code>POST /auth/token</code>.
      </p>
      {commandsOf(id).map(([label, command]) => (
        <div key={label} className="field-inline">
          <span>
            {label} <code className="small">{`${command.method} ${command.path}`}</code>
          </span>
          <CopyButton text={toCurl(location.origin, command)} />
        </div>
      ))}
    </div>
  </details>
);
