import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page';
import { rootRoute } from '../../shell/root-route';
import { validDisputeSearch } from './dispute-filter';

export const disputesRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'disputes',
    validateSearch: validDisputeSearch,
    component: lazyPage(() => import('./disputes-page'), 'DisputesPage'),
  }),
] as const;
