import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page';
import { rootRoute } from '../../shell/root-route';
import { validApprovalsSearch } from './approvals-search';

export const approvalsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'approvals',
    validateSearch: validApprovalsSearch,
    component: lazyPage(() => import('./approvals-page'), 'ApprovalsPage'),
  }),
] as const;
