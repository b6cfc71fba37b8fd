import type { ReactNode } from 'react';
import { PageLink } from './page-link';

/** Where the pages of things are, by their kind in the API. */
const PATHS: Record<string, (id: string) => string> = {
  payment: (id) => `/payments/${id}`,
  delivery: (id) => `/deliveries/${id}`,
  shop: (id) => `/shops/${id}`,
  flow: (id) => `/flows/${id}`,
  client: () => '/developers',
};

interface Props {
  type: string;
  id: string | number;
  /** Default: the id. */
  children?: ReactNode;
}

/** Leads to the page of a thing; plain text for what has none, or what the session may not open. */
export function ObjectLink({ type, id, children = id }: Props) {
  const path = PATHS[type]?.(encodeURIComponent(id));
  // each page registers its own paths; which there are, is not known here
  return path === undefined ? <>{children}</> : <PageLink to={path}>{children}</PageLink>;
}
