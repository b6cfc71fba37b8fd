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

/** What can be done with the payment, and why the rest cannot be done now. */
export function PaymentActions({ payment, operations, changed }: Props) {
  const asked = useDialog<ActionName>();
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
                asked.open(action);
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
          To cancel, refund or sync it takes the scope <code>payments:write</code>.
        </p>
      )}
      {result !== undefined && (
        <p className="notice notice-good" role="status">
          {result}
        </p>
      )}
      {asked.subject !== undefined && (
        <ActionDialog
          action={asked.subject}
          payment={payment}
          close={asked.close}
          done={(now, text) => {
            asked.close();
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
        Put a token of <code>POST /auth/token</code> into <code>$TOKEN</code>.
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
