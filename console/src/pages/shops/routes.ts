import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';

export const shopsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'shops',
    component: lazyRouteComponent(() => import('./shops-page'), 'ShopsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'shops/$shopId',
    component: lazyRouteComponent(() => import('./shop-page'), 'ShopPage'),
  }),
] as const;
