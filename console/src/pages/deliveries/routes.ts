import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';
import { validDeliverySearch } from './delivery-filter';

export const deliveriesRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'deliveries',
    validateSearch: validDeliverySearch,
    component: lazyRouteComponent(() => import('./deliveries-page'), 'DeliveriesPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'deliveries/$deliveryId',
    component: lazyRouteComponent(() => import('./delivery-page'), 'DeliveryPage'),
  }),
] as const;
