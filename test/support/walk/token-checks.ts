import { SCOPES } from '../../../src/access/scopes.js';
import type { RawRequest } from '../fuzz/raw-request.js';
import { type Attempt, type Check, statusFaults, tokenRefusal, withQuery } from './check.js';
import type { WalkedService } from './walked-service.js';

/** How many kinds of wrong tokens each operation gets, besides none. The next operation gets the next ones. */
const KINDS_EACH = 3;

export const authorized = (request: RawRequest, authorization: string | undefined): RawRequest => ({
  ...request,
  headers: { ...request.headers, ...(authorization !== undefined && { authorization }) },
});

/** Checks of requests without the token that an operation needs. */
export function tokenChecks(service: WalkedService): Check[] {
  const { calls } = service;
  const refused = service.tokens.refused(service.victim, service.revoked);
  let next = 0;
  /** All kinds in turn. */
  const someRefused = async (count: number): Promise<[string, string | undefined][]> => {
    const kinds = Object.entries(await refused);
    return Array.from({ length: count }, () => kinds[next++ % kinds.length]!);
  };
  const unauthorized = tokenRefusal(401, 'unauthorized');
  return [
    {
      name: 'answers 401 to a wrong token, and without one before it reads the body or the query',
      async attempts(operation) {
        if (!operation.scopes) return [];
        const request = calls.call(operation, service.victim.ids);
        const broken = {
          method: operation.method,
          path: withQuery(request.path, 'limit=x&cursor=x'),
          ...(operation.body && { headers: { 'content-type': 'application/json' }, body: '{"broken' }),
        };
        const attempts: Attempt[] = [
          { what: 'no token', requests: [request], faults: unauthorized },
          { what: 'a broken request', requests: [broken], faults: unauthorized },
          ...(await someRefused(KINDS_EACH)).map(([what, authorization]) => {
            return { what, requests: [authorized(request, authorization)], faults: unauthorized };
          }),
        ];
        if (operation.method !== 'GET') return attempts;
        const faults = statusFaults((status) => status === 401);
        return [...attempts, { what: 'HEAD', requests: [{ ...request, method: 'HEAD' }], faults }];
      },
    },
    {
      name: 'answers 403 to a token that lacks a scope',
      async attempts(operation) {
        if (!operation.scopes) return [];
        const request = calls.call(operation, service.victim.ids);
        const others = operation.scopes.map((missing) => SCOPES.filter((scope) => scope !== missing));
        return Promise.all(
          [...others, [], ['admin', '*']].map(async (scopes) => {
            const sent = authorized(request, await service.bearer(service.victim, scopes));
            const faults = tokenRefusal(403, 'insufficient_scope');
            return { what: `with the scopes ${scopes.join(' ')}`, requests: [sent], faults };
          }),
        );
      },
    },
    {
      name: 'shows no data of a merchant if it takes no token',
      async attempts(operation) {
        if (operation.scopes) return [];
        const request = calls.call(operation, service.victim.ids);
        const kinds = [
          ...(await someRefused(KINDS_EACH)),
          ['of another merchant', service.attacker.authorization] as const,
        ];
        return kinds.map(([what, authorization]) => ({
          what,
          requests: [authorized(request, authorization)],
        }));
      },
    },
    {
      name: 'answers 200 to the documented scopes if it reads',
      async attempts(operation) {
        if (!operation.scopes || operation.method !== 'GET') return [];
        const authorization = await service.bearer(service.attacker, operation.scopes);
        const requests = [authorized(calls.call(operation, service.attacker.ids), authorization)];
        return [{ what: 'of the owner', requests, faults: statusFaults((status) => status === 200) }];
      },
    },
  ];
}
