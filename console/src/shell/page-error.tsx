import { ConnectionError } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button } from '../ui/button';
import { PageLoading } from '../ui/loading';
import { ProblemNotice } from '../ui/problem-notice';
import { PageFilesError } from './lazy-page';

/** Shown in place of a page that failed. The other pages stay usable. */
export function PageError({ error }: ErrorComponentProps) {
  const router = useRouter();
  if (error instanceof PageFilesError) return <FilesMissing />;
  return <ProblemNotice error={error} retry={() => void router.invalidate()} />;
}

const RELOADED_KEY = 'console.reloaded';
/** Minimum time between two automatic reloads. */
const RELOAD_PAUSE_MS = 60_000;

/**
 * The service is down, or has another version of the console. An open page does not request a file again after a failure, so
 * the console is reloaded as soon as the service answers: once by itself, afterwards by the button.
 */
function FilesMissing() {
  const {
    mutate: probe,
    error,
    isPending,
  } = useMutation({
    mutationFn: async (_: { isByHand: boolean }) => {
      const path = '/console/settings';
      const answer = await fetch(path).catch((cause: unknown) => {
        throw new ConnectionError(`GET ${path}`, 1, cause);
      });
      if (!answer.ok) throw new ConnectionError(`GET ${path}`, 1, answer.status);
    },
    onSuccess: (_, { isByHand }) => {
      if (isByHand || isPauseOver()) reload();
    },
  });
  useEffect(() => probe({ isByHand: false }), [probe]);
  const again = (): void => probe({ isByHand: true });
  if (isPending) return <PageLoading />;
  if (error) return <ProblemNotice error={error} retry={again} />;
  return (
    <div className="notice notice-bad" role="alert">
      <p>
        <strong>This page could not be loaded.</strong> The service answers, but some files of the page are missing.
      </p>
      <Button onClick={again}>Try again</Button>
    </div>
  );
}

const isPauseOver = (): boolean => Date.now() - Number(sessionStorage.getItem(RELOADED_KEY)) > RELOAD_PAUSE_MS;

function reload(): void {
  sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  location.reload();
}
