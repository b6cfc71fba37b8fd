import type { ReactNode } from 'react';
import { PageLink } from './page-link';

/** The path of an object's page, by the object's type in the API. */
const PATHS: Record<string, (id: string) => string> = {
  payment: (id) => `/payments/${id}`,
  delivery: (id) => `/deliveries/${id}`,
  endpoint: (id) => `/endpoints/${id}`,
  shop: (id) => `/shops/${id}`,
  flow: (id) => `/flows/${id}`,
  client: () => '/people',
};

interface Props {
  type: string;
  id: string | number;
  /** Default: the id. */
  children?: ReactNode;
}

/** A link to the page of an object; plain text if it has no page, or if the session may not open it. */
export function ObjectLink({ type, id, children = id }: Props) {
  const path = PATHS[type]?.(encodeURIComponent(id));
  // each page registers its own paths, so this file cannot check them
  return path === undefined ? <>{children}</> : <PageLink to={path}>{children}</PageLink>;
}
