import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';

export const developersRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'developers',
    component: lazyRouteComponent(() => import('./developers-page'), 'DevelopersPage'),
  }),
] as const;
