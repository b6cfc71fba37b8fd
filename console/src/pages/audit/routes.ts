import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';
import { validAuditSearch } from './audit-filter';

export const auditRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'audit',
    validateSearch: validAuditSearch,
    component: lazyRouteComponent(() => import('./audit-page'), 'AuditPage'),
  }),
] as const;
