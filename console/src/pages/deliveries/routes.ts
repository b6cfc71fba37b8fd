import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page';
import { rootRoute } from '../../shell/root-route';
import { validDeliverySearch } from './delivery-filter';

export const deliveriesRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'deliveries',
    validateSearch: validDeliverySearch,
    component: lazyPage(() => import('./deliveries-page'), 'DeliveriesPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'deliveries/$deliveryId',
    component: lazyPage(() => import('./delivery-page'), 'DeliveryPage'),
  }),
] as const;
