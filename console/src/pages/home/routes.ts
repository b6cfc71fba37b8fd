import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page';
import { rootRoute } from '../../shell/root-route';

export const homeRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    component: lazyPage(() => import('./home-page'), 'HomePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'open-work',
    component: lazyPage(() => import('./open-work-page'), 'OpenWorkPage'),
  }),
] as const;
