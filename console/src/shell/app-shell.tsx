import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { PAGES, useMayOpen } from '../api/page-scopes';
import { sessionQuery, signOut, useSession } from '../api/session';
import { identityOf } from '../api/session-cache';
import { LiveEvents } from '../api/live-events';
import { SignInPage } from '../pages/sign-in/sign-in-page';
import { Button } from '../ui/button';
import { closeOnEscape } from '../ui/close-on-escape';
import { PageLoading } from '../ui/loading';
import { ProblemNotice } from '../ui/problem-notice';
import { Search } from './search';
import { setTheme, type Theme, useTheme } from './theme';

/** The shared name of the header's menus: only one of them is open at a time. */
const MENU = 'header-menu';

/** Every page is behind the sign-in. After it, the requested page is shown. */
export function AppShell() {
  const { data: session, error, isPending, refetch } = useQuery(sessionQuery);
  if (isPending) return <PageLoading />;
  if (session === null) return <SignInPage />;
  // a known session stays in use while a refresh of it fails
  if (!session) return <ProblemNotice error={error} retry={() => void refetch()} />;
  // the key resets the state of every page when another user signs in
  return (
    <LiveEvents key={identityOf(session)}>
      <Frame />
    </LiveEvents>
  );
}

function Frame() {
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <Header />
      <Navigation />
      <main id="content" className="shell-content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

function Header() {
  const { merchant, name } = useSession();
  return (
    <header className="shell-header">
      <Link to="/" className="brand" aria-label="Payment orchestrator, home">
        <BrandMark />
        <span className="brand-name">Orchestrator</span>
      </Link>
      <Search />
      <details className="menu" name={MENU} onKeyDown={closeOnEscape}>
        <summary title={`${merchant.name}: ${name}`}>
          <bdi className="truncate">{merchant.name}</bdi>
        </summary>
        <div className="menu-panel">
          <p className="muted small">
            Signed in as{' '}
            <strong>
              <bdi>{name}</bdi>
            </strong>
          </p>
          <ThemeChoice />
          <a href="/docs" target="_blank" rel="noreferrer">
            API documentation
          </a>
          <SignOut />
        </div>
      </details>
    </header>
  );
}

function SignOut() {
  const { mutate, error, isPending } = useMutation({ mutationFn: signOut });
  return (
    <>
      <Button isBusy={isPending} onClick={() => mutate()}>
        Sign out
      </Button>
      {error && <p className="field-error">Signing out was not confirmed. You may still be signed in.</p>}
      <ProblemNotice error={error} />
    </>
  );
}

/** On narrow screens it is a menu. That menu and the header's menu close when a page is chosen. */
function Navigation() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>(`details[name="${MENU}"]`)) menu.open = false;
  }, [path]);
  const mayOpen = useMayOpen();
  const links = PAGES.filter(({ to }) => mayOpen(to)).map(({ to, label }) => (
    <Link key={to} to={to} activeOptions={{ exact: to === '/' }} activeProps={{ 'aria-current': 'page' }}>
      {label}
    </Link>
  ));
  return (
    <>
      <nav className="shell-nav" aria-label="Pages">
        {links}
      </nav>
      <details className="shell-nav-menu" name={MENU} onKeyDown={closeOnEscape}>
        <summary aria-label="Pages">☰</summary>
        <nav aria-label="All pages">{links}</nav>
      </details>
    </>
  );
}

function ThemeChoice() {
  const theme = useTheme();
  return (
    <label className="field-inline">
      Theme
      <select value={theme} onChange={({ target }) => setTheme(target.value as Theme)}>
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}

const BrandMark = () => (
  <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <rect width="32" height="32" rx="8" className="brand-mark" />
    <path d="M8 16h6l4-6h6M14 16l4 6h6" className="brand-line" />
  </svg>
);
