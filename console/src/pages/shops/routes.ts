import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page';
import { rootRoute } from '../../shell/root-route';
import { validNamedSearch } from '../../ui/named-search';

export const shopsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'shops',
    validateSearch: validNamedSearch,
    component: lazyPage(() => import('./shops-page'), 'ShopsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'shops/$shopId',
    component: lazyPage(() => import('./shop-page'), 'ShopPage'),
  }),
] as const;
