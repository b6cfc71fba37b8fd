import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect } from 'react';
import { sessionEnd, signIn, signInSettingsQuery } from '../../api/session';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { ProblemNotice } from '../../ui/problem-notice';

/** Shown in place of the requested page, which follows after the sign-in. */
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

/** Says why the page that was open is no longer shown. */
function SessionEnd() {
  const end = sessionEnd();
  if (end === undefined) return null;
  return (
    <div className="notice notice-warn" role="status">
      <p>
        <strong>{end.isExpired ? 'Your session has expired.' : 'Your session has ended.'}</strong>{' '}
        {!end.isExpired && 'It timed out, or your access was ended or got a new secret. '}
        Sign in again to return to your page.
        {end.hasRefusedWrite && ' Your last change was not saved.'}
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
        Sign in with the client id and secret that you were given. Who manages your account gives you both, or new ones.
      </p>
      <TextField label="Client id" name="client_id" required autoComplete="username" spellCheck={false} />
      <TextField label="Client secret" name="client_secret" type="password" required autoComplete="current-password" />
      <ProblemNotice error={error} />
      <Button type="submit" variant="primary" isBusy={isPending}>
        Sign in
      </Button>
    </form>
  );
}

/** Why the sign-in with the identity provider failed, by the code in the address. The page shows no text of the address. */
const FAILURES: Record<string, string> = {
  oidc_denied: 'The identity provider denied the sign-in.',
  oidc_expired: 'The sign-in took too long, or was started in another browser. Try again.',
  oidc_unavailable: 'The identity provider does not answer. Try again later.',
  oidc_refused:
    'The identity provider signed you in, but you have no access here yet. Ask who manages your account; the log of the service says why.',
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

/** The text of a field, without white space at its ends that was copied with it. */
function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
