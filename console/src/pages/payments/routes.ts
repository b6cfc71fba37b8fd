import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';
import { filtersOf } from './payment-filters';

const paymentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'payments',
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import('./payments-page'), 'PaymentsPage'),
});

const paymentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'payments/$paymentId',
  component: lazyRouteComponent(() => import('./payment-page'), 'PaymentPage'),
});

export const paymentsRoutes = [paymentsRoute, paymentRoute] as const;
