import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';

export const EDITOR_TABS = ['form', 'json', 'versions'] as const;

export type EditorTab = (typeof EDITOR_TABS)[number];

export interface EditorSearch {
  /** What is edited; without it the active one. */
  version?: number;
  tab?: EditorTab;
  /** Which two versions are compared. */
  from?: number;
  to?: number;
}

export const flowsRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'flows',
    component: lazyRouteComponent(() => import('./flows-page'), 'FlowsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: 'flows/$flowId',
    validateSearch: (search: Record<string, unknown>): EditorSearch => ({
      ...numberIn(search, 'version'),
      ...numberIn(search, 'from'),
      ...numberIn(search, 'to'),
      ...(EDITOR_TABS.includes(search.tab as EditorTab) && { tab: search.tab as EditorTab }),
    }),
    component: lazyRouteComponent(() => import('./editor/flow-page'), 'FlowPage'),
  }),
] as const;

const numberIn = (search: Record<string, unknown>, name: string): Record<string, number> => {
  const value = search[name];
  return Number.isSafeInteger(value) && Number(value) > 0 ? { [name]: Number(value) } : {};
};
