import type { Schema } from '@payment-orchestrator/client';
import { useState } from 'react';
import { useCan } from '../../api/session';
import { Button } from '../../ui/button';
import { closeOnEscape } from '../../ui/close-on-escape';
import { useDialog } from '../../ui/use-dialog';
import { CopyButton } from '../../ui/values';
import { ACTION_LABELS, type ActionName, ACTIONS, obstacle } from './actions';
import { ActionDialog } from './action-dialog';
import { commandsOf, toCurl } from './curl';

interface Props {
  payment: Schema<'Payment'>;
  /** `undefined`: not read yet. */
  operations: Schema<'PaymentOperation'>[] | undefined;
  changed: (payment: Schema<'Payment'>) => void;
}

/** The actions of a payment, and the reasons why some are disabled. */
export function PaymentActions({ payment, operations, changed }: Props) {
  const confirming = useDialog<ActionName>();
  const [result, setResult] = useState<string>();
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
              onClick={() => {
                setResult(undefined);
                confirming.open(action);
              }}
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
          Cancel, refund and sync need the scope <code>payments:write</code>.
        </p>
      )}
      {result !== undefined && (
        <p className="notice notice-good" role="status">
          {result}
        </p>
      )}
      {confirming.subject !== undefined && (
        <ActionDialog
          action={confirming.subject}
          payment={payment}
          close={confirming.close}
          done={(now, text) => {
            confirming.close();
            setResult(text);
            changed(now);
          }}
        />
      )}
    </div>
  );
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
