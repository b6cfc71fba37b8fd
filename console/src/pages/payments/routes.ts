import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';

export const paymentsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'payments',
    component: lazyRouteComponent(() => import('./payments-page'), 'PaymentsPage'),
  }),
] as const;
