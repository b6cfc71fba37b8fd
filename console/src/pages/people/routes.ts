import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page';
import { rootRoute } from '../../shell/root-route';

export const peopleRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'people',
    component: lazyPage(() => import('./people-page'), 'PeoplePage'),
  }),
] as const;
