import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect } from 'react';
import { signIn } from '../../api/session';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { ProblemNotice } from '../../ui/problem-notice';

/** In place of whatever page was asked for. */
export function SignInPage() {
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ id, secret }: { id: string; secret: string }) => signIn(id, secret),
  });
  useEffect(() => {
    document.title = 'Sign in · Payment orchestrator';
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mutate({ id: textOf(form, 'client_id'), secret: textOf(form, 'client_secret') });
  };
  return (
    <main className="sign-in">
      <form className="card sign-in-card" onSubmit={submit}>
        <h1>Payment orchestrator</h1>
        <p className="muted">
          Sign in with an API client. <code>npm start</code> prints one the first time;{' '}
          <code>npm run cli -- client:create</code> makes more.
        </p>
        <TextField label="Client id" name="client_id" required autoFocus autoComplete="username" spellCheck={false} />
        <TextField
          label="Client secret"
          name="client_secret"
          type="password"
          required
          autoComplete="current-password"
        />
        <ProblemNotice error={error} />
        <Button type="submit" look="primary" isBusy={isPending}>
          Sign in
        </Button>
      </form>
    </main>
  );
}

/** What was copied with the text around it is not meant. */
function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
