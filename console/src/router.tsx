import { createRouter, Link } from '@tanstack/react-router';
import { approvalsRoutes } from './pages/approvals/routes';
import { auditRoutes } from './pages/audit/routes';
import { deliveriesRoutes } from './pages/deliveries/routes';
import { developersRoutes } from './pages/developers/routes';
import { disputesRoutes } from './pages/disputes/routes';
import { endpointsRoutes } from './pages/endpoints/routes';
import { flowsRoutes } from './pages/flows/routes';
import { homeRoutes } from './pages/home/routes';
import { paymentsRoutes } from './pages/payments/routes';
import { peopleRoutes } from './pages/people/routes';
import { reportsRoutes } from './pages/reports/routes';
import { shopsRoutes } from './pages/shops/routes';
import { PageError } from './shell/page-error';
import { rootRoute } from './shell/root-route';
import { EmptyState } from './ui/empty-state';
import { PageLoading } from './ui/loading';

/** Each page declares its paths in its `routes.ts`. Its code is loaded when it is first opened. */
const routeTree = rootRoute.addChildren([
  ...homeRoutes,
  ...paymentsRoutes,
  ...disputesRoutes,
  ...approvalsRoutes,
  ...reportsRoutes,
  ...deliveriesRoutes,
  ...endpointsRoutes,
  ...flowsRoutes,
  ...shopsRoutes,
  ...developersRoutes,
  ...peopleRoutes,
  ...auditRoutes,
]);

const NotFound = () => (
  <EmptyState title="Page not found">
    <Link to="/">Go to To do</Link>
  </EmptyState>
);

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
