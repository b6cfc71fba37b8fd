import { ConnectionError } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button } from '../ui/button';
import { PageLoading } from '../ui/loading';
import { ProblemNotice } from '../ui/problem-notice';
import { PageFilesError } from './lazy-page';

/** A page that fails leaves the others usable. */
export function PageError({ error }: ErrorComponentProps) {
  const router = useRouter();
  if (error instanceof PageFilesError) return <FilesMissing />;
  return <ProblemNotice error={error} retry={() => void router.invalidate()} />;
}

const LOADED_KEY = 'console.loaded-anew';
/** After so long it is worth another try by itself. */
const REST_MS = 60_000;

/**
 * The service is away, or has another version of the console. What did not come once is not asked for again by the page that
 * is open, so that the console is loaded anew as soon as the service answers: by itself once, then by hand.
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
      if (isByHand || isRested()) loadAnew();
    },
  });
  useEffect(() => probe({ isByHand: false }), [probe]);
  const again = (): void => probe({ isByHand: true });
  if (isPending) return <PageLoading />;
  if (error) return <ProblemNotice error={error} retry={again} />;
  return (
    <div className="notice notice-bad" role="alert">
      <p>
        <strong>This page could not be loaded.</strong> The service answers, but files of the page did not come.
      </p>
      <Button onClick={again}>Try again</Button>
    </div>
  );
}

const isRested = (): boolean => Date.now() - Number(sessionStorage.getItem(LOADED_KEY)) > REST_MS;

function loadAnew(): void {
  sessionStorage.setItem(LOADED_KEY, String(Date.now()));
  location.reload();
}
