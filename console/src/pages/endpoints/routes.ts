import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';

export const endpointsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'endpoints',
    component: lazyRouteComponent(() => import('./endpoints-page'), 'EndpointsPage'),
  }),
] as const;
