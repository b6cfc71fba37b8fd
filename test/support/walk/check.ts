import type { Operation } from '../fuzz/openapi-operations.js';
import type { RawAnswer, RawRequest } from '../fuzz/raw-request.js';

/** Requests to an operation, sent one after the other, and what is wrong with their answers. */
export interface Attempt {
  what: string;
  requests: RawRequest[];
  faults?(...answers: RawAnswer[]): string[];
}

/** A requirement for every operation of the OpenAPI document. */
export interface Check {
  /** Completes "every operation …". */
  name: string;
  attempts(operation: Operation): Attempt[] | Promise<Attempt[]>;
}

/** Faults of an answer that must refuse the token with this problem. */
export const tokenRefusal =
  (status: number, code: string) =>
  ({ status: answered, text, headers }: RawAnswer): string[] => {
    const isRefusal = answered === status && headers['www-authenticate'] !== undefined;
    return isRefusal && (JSON.parse(text) as { code: string }).code === code ? [] : [`not ${status} ${code}`];
  };

/** Faults of an answer with a status that is not allowed. */
export const statusFaults =
  (isAllowed: (status: number) => boolean) =>
  ({ status }: RawAnswer): string[] =>
    isAllowed(status) ? [] : [`answers ${status}`];

/** The path with more in its query. */
export const withQuery = (path: string, query: string): string =>
  query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
