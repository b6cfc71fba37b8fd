import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page';
import { rootRoute } from '../../shell/root-route';
import { filtersOf } from './payment-filters';

const paymentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'payments',
  validateSearch: filtersOf,
  component: lazyPage(() => import('./payments-page'), 'PaymentsPage'),
});

const paymentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'payments/$paymentId',
  component: lazyPage(() => import('./payment-page'), 'PaymentPage'),
});

export const paymentsRoutes = [paymentsRoute, paymentRoute] as const;
