import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../shell/lazy-page';
import { rootRoute } from '../../shell/root-route';
import { validNamedSearch } from '../../ui/named-search';
import { validEditorSearch } from './editor-search';

export const flowsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'flows',
    validateSearch: validNamedSearch,
    component: lazyPage(() => import('./flows-page'), 'FlowsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'flows/$flowId',
    validateSearch: validEditorSearch,
    component: lazyPage(() => import('./editor/flow-page'), 'FlowPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'flows/$flowId/proposals/$version',
    component: lazyPage(() => import('./proposals/proposal-page'), 'ProposalPage'),
  }),
] as const;
