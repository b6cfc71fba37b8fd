import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';

export const auditRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'audit',
    component: lazyRouteComponent(() => import('./audit-page'), 'AuditPage'),
  }),
] as const;
