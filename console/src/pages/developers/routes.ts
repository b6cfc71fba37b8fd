import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';
import { readSearch } from './event-filter';

export const developersRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'developers',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./developers-page'), 'DevelopersPage'),
  }),
] as const;
