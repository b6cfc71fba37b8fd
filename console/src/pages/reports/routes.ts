import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page';
import { rootRoute } from '../../shell/root-route';
import { validReportsSearch } from './reports-search';

export const reportsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'reports',
    validateSearch: validReportsSearch,
    component: lazyPage(() => import('./reports-page'), 'ReportsPage'),
  }),
] as const;
