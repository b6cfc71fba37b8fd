import { createRouter, type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { auditRoutes } from './pages/audit/routes';
import { deliveriesRoutes } from './pages/deliveries/routes';
import { developersRoutes } from './pages/developers/routes';
import { endpointsRoutes } from './pages/endpoints/routes';
import { flowsRoutes } from './pages/flows/routes';
import { homeRoutes } from './pages/home/routes';
import { paymentsRoutes } from './pages/payments/routes';
import { shopsRoutes } from './pages/shops/routes';
import { rootRoute } from './shell/root-route';
import { EmptyState } from './ui/empty-state';
import { PageLoading } from './ui/loading';
import { ProblemNotice } from './ui/problem-notice';

/** Each page names its own paths in its `routes.ts`, and is loaded when it is first opened. */
const routeTree = rootRoute.addChildren([
  ...homeRoutes,
  ...paymentsRoutes,
  ...deliveriesRoutes,
  ...endpointsRoutes,
  ...flowsRoutes,
  ...shopsRoutes,
  ...developersRoutes,
  ...auditRoutes,
]);

const NotFound = () => (
  <EmptyState title="There is no such page">
    <Link to="/">Home</Link>
  </EmptyState>
);

/** A page that fails leaves the others usable. What of it could not be loaded is loaded again. */
function PageError({ error }: ErrorComponentProps) {
  const router = useRouter();
  return <ProblemNotice error={error} retry={() => void router.invalidate()} />;
}

export const router = createRouter({
  routeTree,
  basepath: '/console',
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: PageError,
  defaultPendingComponent: PageLoading,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
