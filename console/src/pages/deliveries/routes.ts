import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';

export const deliveriesRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'deliveries',
    component: lazyRouteComponent(() => import('./deliveries-page'), 'DeliveriesPage'),
  }),
] as const;
