import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page';
import { rootRoute } from '../../shell/root-route';
import { readSearch } from './event-filter';

export const developersRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'developers',
    validateSearch: readSearch,
    component: lazyPage(() => import('./developers-page'), 'DevelopersPage'),
  }),
] as const;
