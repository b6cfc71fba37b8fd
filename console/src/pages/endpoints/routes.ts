import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';
import { validEndpointSearch } from './endpoint-filter';

export const endpointsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'endpoints',
    validateSearch: validEndpointSearch,
    component: lazyRouteComponent(() => import('./endpoints-page'), 'EndpointsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'endpoints/$endpointId',
    component: lazyRouteComponent(() => import('./endpoint-page'), 'EndpointPage'),
  }),
] as const;
