import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page';
import { rootRoute } from '../../shell/root-route';
import { validEndpointSearch } from './endpoint-filter';

export const endpointsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'endpoints',
    validateSearch: validEndpointSearch,
    component: lazyPage(() => import('./endpoints-page'), 'EndpointsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'endpoints/new',
    component: lazyPage(() => import('./form/create-endpoint-page'), 'CreateEndpointPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'endpoints/$endpointId',
    component: lazyPage(() => import('./detail/endpoint-page'), 'EndpointPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'endpoints/$endpointId/edit',
    component: lazyPage(() => import('./form/edit-endpoint-page'), 'EditEndpointPage'),
  }),
] as const;
