import type { Schema } from '@payment-orchestrator/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useCan } from '../../api/session';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { PageLoading } from '../../ui/loading';
import { ProblemNotice } from '../../ui/problem-notice';
import { useDialog } from '../../ui/use-dialog';
import { None } from '../../ui/values';
import { EditCredentialsDialog } from './edit-credentials-dialog';
import { shopCredentialsQuery } from './shop-queries';

type Credential = Schema<'ShopCredential'>;

/** The provider's credentials, the shop's values for them, and a check whether the provider accepts them. */
export function CredentialsCard({ shop: { id, provider } }: { shop: Schema<'Shop'> }) {
  const { data: credentials, error, refetch } = useQuery(shopCredentialsQuery(id));
  const editing = useDialog();
  const check = useMutation({
    mutationFn: async () => (await api.post('/shops/{id}/credentials/check', { params: { path: { id } } })).data,
  });
  const mayWrite = useCan('shops:write');
  const actions = (
    <>
      <Button onClick={() => check.mutate()} isBusy={check.isPending}>
        Check
      </Button>
      <Button onClick={() => editing.open()} disabled={!credentials}>
        Edit
      </Button>
    </>
  );
  return (
    <Card title="Provider credentials" actions={mayWrite ? actions : undefined}>
      {credentials ? (
        <dl className="credentials">
          {credentials.map((credential) => (
            <CredentialRow key={credential.name} credential={credential} />
          ))}
        </dl>
      ) : error ? (
        <ProblemNotice error={error} retry={() => void refetch()} />
      ) : (
        <PageLoading />
      )}
      <ProblemNotice error={check.error} />
      <div role="status" className="check-result">
        {check.data && <CheckResult provider={provider} check={check.data} />}
      </div>
      {editing.isOpen && credentials && (
        <EditCredentialsDialog shopId={id} credentials={credentials} onSaved={check.reset} onClose={editing.close} />
      )}
    </Card>
  );
}

const CredentialRow = ({ credential: { name, value, required, used_for: use } }: { credential: Credential }) => (
  <div>
    <dt>
      <code>{name}</code>
      <span className="small muted">{use === 'calls' ? 'for calls' : 'verifies notifications'}</span>
    </dt>
    <dd>
      {value === null ? (
        <>
          <None /> {required && <span className="small">required</span>}
        </>
      ) : (
        <code>{value}</code>
      )}
    </dd>
  </div>
);

function CheckResult({ provider, check }: { provider: string; check: Schema<'CredentialsCheck'> }) {
  const { outcome, errors, reason, unchecked } = check;
  return (
    <div className={`notice ${{ accepted: 'notice-good', refused: 'notice-bad', unknown: 'notice-warn' }[outcome]}`}>
      <div className="stack">
        {outcome === 'accepted' && <p>{provider} accepts these credentials.</p>}
        {outcome === 'unknown' && <p>It is unknown whether they work. {reason}.</p>}
        {outcome === 'refused' && (
          <>
            <p>{provider} refuses these credentials:</p>
            <ul>
              {errors.map(({ field, message }) => (
                <li key={`${field} ${message}`}>
                  <code>{field}</code> {message}
                </li>
              ))}
            </ul>
          </>
        )}
        {unchecked.length > 0 && (
          <p className="small">
            Only a notification from the provider can confirm{' '}
            {unchecked.map((name) => (
              <code key={name}>{name} </code>
            ))}
            .
          </p>
        )}
      </div>
    </div>
  );
}
