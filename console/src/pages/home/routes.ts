import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';

export const homeRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./home-page'), 'HomePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'open-work',
    component: lazyRouteComponent(() => import('./open-work-page'), 'OpenWorkPage'),
  }),
] as const;
