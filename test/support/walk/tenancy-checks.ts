import { SHARED_KINDS } from '../app/seeded-merchant.js';
import type { Operation } from '../fuzz/openapi-operations.js';
import { OperationCalls } from '../fuzz/operation-calls.js';
import type { RawAnswer, RawRequest } from '../fuzz/raw-request.js';
import { type Attempt, type Check, statusFaults, withQuery } from './check.js';
import { authorized } from './token-checks.js';
import type { WalkedService } from './walked-service.js';

const UNKNOWN_NUMBER = 987_654_321_098;
const UNKNOWN_TEXT = 'an-unknown-one';
/** Headers that do not depend on the request. */
const VOLATILE_HEADERS = /^(date|content-length|x-request-id|(x-)?ratelimit.*|keep-alive|connection|retry-after)$/;

/** Checks that a merchant neither sees nor changes objects of another one. */
export function tenancyChecks(service: WalkedService): Check[] {
  const { calls, victim, attacker } = service;
  const unknownIds = Object.fromEntries(Object.keys(victim.ids).map((kind) => [kind, UNKNOWN_NUMBER]));
  const byAttacker = (request: RawRequest) => authorized(request, attacker.authorization);

  /** The answer to an id of the victim must equal the answer to an unknown id. */
  const likeUnknown = (real: RawRequest, unknown: RawRequest, ids: (number | string)[], status?: number): Attempt => ({
    what: 'an id of another merchant',
    requests: [byAttacker(real), byAttacker(unknown)],
    faults(...answers) {
      const [seen, expected] = answers.map((answer) => JSON.stringify(withoutIds(answer, ids)));
      const isWrong = status !== undefined && answers[0]!.status !== status;
      return [...(isWrong ? [`not ${status}`] : []), ...(seen === expected ? [] : ['not answered like an unknown id'])];
    },
  });

  return [
    {
      name: 'answers 404 to the path of an object of another merchant, as for an unknown one',
      attempts(operation) {
        if (!operation.scopes || !namesObject(operation)) return [];
        const real = { ...calls.call(operation, attacker.ids), path: OperationCalls.path(operation, victim.ids) };
        const unknown = { ...real, path: OperationCalls.path(operation, unknownIds) };
        return [likeUnknown(real, unknown, [...Object.values(victim.ids), UNKNOWN_NUMBER], 404)];
      },
    },
    {
      name: 'answers to an id of another merchant in its query or body as to an unknown one',
      attempts(operation) {
        if (!operation.scopes) return [];
        return calls.idPlaces(operation, victim.ids).map((place) => {
          const foreign = victim.ids[place.kind]!;
          const nobodys = typeof foreign === 'number' ? UNKNOWN_NUMBER : UNKNOWN_TEXT;
          const [real, unknown] = [foreign, nobodys].map((id) => calls.call(operation, attacker.ids, place, id));
          return likeUnknown(real!, unknown!, [foreign, nobodys]);
        });
      },
    },
    {
      name: 'lists nothing of another merchant, also with its cursor',
      async attempts(operation) {
        if (!operation.scopes || !isList(operation)) return [];
        const own = withQuery(OperationCalls.path(operation, victim.ids), 'limit=1');
        const first = await service.send(authorized({ method: 'GET', path: own }, victim.authorization));
        const { next_cursor: cursor } = (JSON.parse(first.text) as { pagination: { next_cursor: string | null } })
          .pagination;
        const path = OperationCalls.path(operation, attacker.ids);
        return ['', 'limit=100', ...(cursor === null ? [] : [`limit=100&cursor=${cursor}`])].map((query) => ({
          what: query,
          requests: [byAttacker({ method: 'GET', path: withQuery(path, query) })],
          // a cursor may belong to its merchant: then it is refused without data
          faults: statusFaults((status) => status === 200 || (status === 400 && query.includes('cursor'))),
        }));
      },
    },
    {
      name: 'works for the owner of its objects, who sees nothing of another merchant',
      attempts(operation) {
        if (!operation.scopes) return [];
        const requests = [authorized(calls.call(operation, service.owner.ids), service.owner.authorization)];
        return [{ what: 'its own', requests, faults: statusFaults((status) => status < 300 || status === 409) }];
      },
    },
  ];
}

/** Whether the path has an id of an object that belongs to a merchant. */
const namesObject = ({ path }: Operation): boolean =>
  [...path.matchAll(/\{(\w+)\}/g)].some(([, parameter]) => !SHARED_KINDS.includes(parameter!));

export const isList = ({ parameters }: Operation): boolean => parameters.some(({ name }) => name === 'cursor');

/** The answer without the requested ids, for comparison with the answer to other ones. */
function withoutIds({ status, headers, text }: RawAnswer, ids: (number | string)[]): unknown {
  const plain = Object.entries(headers).filter(([name]) => !VOLATILE_HEADERS.test(name));
  // a success differs in times and new ids; it is searched for marks
  if (status < 400) return { status };
  const { request_id: _, ...body } = JSON.parse(text) as Record<string, unknown>;
  const masked = ids.reduce<string>(
    (shown, id) => shown.replaceAll(new RegExp(`(?<![\\w-])${id}(?![\\w-])`, 'g'), '#'),
    JSON.stringify({ plain, body }),
  );
  return { status, masked };
}
