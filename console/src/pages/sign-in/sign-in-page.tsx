import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect } from 'react';
import { sessionEnd, signIn, signInSettingsQuery } from '../../api/session';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { ProblemNotice } from '../../ui/problem-notice';

/** In place of whatever page was asked for, which is shown afterwards. */
export function SignInPage() {
  useEffect(() => {
    document.title = 'Sign in · Payment orchestrator';
  }, []);
  return (
    <main className="sign-in">
      <div className="card sign-in-card">
        <h1>Payment orchestrator</h1>
        <SessionEnd />
        <ProviderSignIn />
        <ClientSignIn />
      </div>
    </main>
  );
}

/** Why the page that was just open is not shown any more. */
function SessionEnd() {
  const end = sessionEnd();
  if (end === undefined) return null;
  return (
    <div className="notice notice-warn" role="status">
      <p>
        <strong>{end.isExpired ? 'Your session has expired.' : 'Your session has ended.'}</strong>{' '}
        {!end.isExpired && 'It has expired, its client was revoked, or the secret of its client was replaced. '}
        Sign in again, and the page that you were on is shown.
        {end.hasRefusedWrite && ' What you sent last was refused: nothing was changed by it.'}
      </p>
    </div>
  );
}

function ClientSignIn() {
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ id, secret }: { id: string; secret: string }) => signIn(id, secret),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mutate({ id: textOf(form, 'client_id'), secret: textOf(form, 'client_secret') });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p className="muted">
        Sign in with an API client. <code>npm start</code> prints one the first time;{' '}
        <code>npm run cli -- client:create</code> makes more.
      </p>
      <TextField label="Client id" name="client_id" required autoComplete="username" spellCheck={false} />
      <TextField label="Client secret" name="client_secret" type="password" required autoComplete="current-password" />
      <ProblemNotice error={error} />
      <Button type="submit" look="primary" isBusy={isPending}>
        Sign in
      </Button>
    </form>
  );
}

/** Why nobody came back from the identity provider signed in; nothing of the address is repeated on the page. */
const FAILURES: Record<string, string> = {
  oidc_denied: 'The identity provider did not let you in.',
  oidc_expired: 'That took too long, or was begun in another browser. Try again.',
  oidc_unavailable: 'The identity provider does not answer. Try again later.',
  oidc_refused: 'The identity provider let you in, but its token opens nothing here. The log of the API says why.',
};

function ProviderSignIn() {
  const { data: settings } = useQuery(signInSettingsQuery);
  const failure = FAILURES[new URLSearchParams(location.search).get('problem') ?? ''];
  if (!settings?.oidc_provider) return null;
  const to = encodeURIComponent(location.pathname + (failure === undefined ? location.search : ''));
  return (
    <>
      {failure !== undefined && (
        <p className="notice notice-bad" role="alert">
          {failure}
        </p>
      )}
      <a className="button button-primary" href={`/console/oidc/login?to=${to}`}>
        Sign in with {settings.oidc_provider}
      </a>
      <hr className="line" />
    </>
  );
}

/** What was copied with the space around it is not meant. */
function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
