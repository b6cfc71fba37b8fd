import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page';
import { rootRoute } from '../../shell/root-route';
import { validAuditSearch } from './audit-filter';

export const auditRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'audit',
    validateSearch: validAuditSearch,
    component: lazyPage(() => import('./audit-page'), 'AuditPage'),
  }),
] as const;
