import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';

export const flowsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'flows',
    component: lazyRouteComponent(() => import('./flows-page'), 'FlowsPage'),
  }),
] as const;
