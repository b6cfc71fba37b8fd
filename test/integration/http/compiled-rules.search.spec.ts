import { parse } from 'node:querystring';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ModulesContainer } from '@nestjs/core';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { parseJsonBody } from '../../../src/platform/http/body/json-body.js';
import { isAccepted } from '../../../src/platform/http/validation/compiled-rules.js';
import { instanceOf } from '../../../src/platform/http/validation/dto-instance.js';
import { withObjects } from '../../../src/platform/http/validation/query-objects.js';
import { isObject } from '../../../src/shared/json.js';
import { type FuzzMaterial, requestsFor } from '../../support/fuzz/fuzz-arbitraries.js';
import { committedOpenApi, type Operation, operationsOf } from '../../support/fuzz/openapi-operations.js';
import { mediaOf, prefilled } from '../../support/fuzz/prefilled-bodies.js';
import type { RawRequest } from '../../support/fuzz/raw-request.js';
import { runs } from '../../support/fuzz/runs.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';

// Bodies and queries of every operation, good and hostile: the compiled rules and class-validator judge them alike. If
// the compiled rules accept more, errors pass; if they accept less, requests cost more than they should.

const REQUESTS = 40;
const NOTHING: FuzzMaterial = { ids: {}, objects: {}, values: {}, bodies: {} };
const document = committedOpenApi();

interface Dtos {
  body?: Type<object>;
  query?: Type<object>;
}

let api: TestApi;
/** Operations with a DTO. */
let described: { operation: Operation; dtos: Dtos }[];
beforeAll(async () => {
  api = await sharedApi();
  const byId = dtosById();
  described = operationsOf(document).map((operation) => {
    const { operationId } = document.paths[operation.path]![operation.method.toLowerCase()]!;
    return { operation, dtos: byId.get(operationId) ?? {} };
  });
});
afterAll(() => api?.stop());

/** The classes of the bodies and queries of all handlers, by the id of the operation. */
function dtosById(): Map<string, Dtos> {
  const found = new Map<string, Dtos>();
  for (const module of api.app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      const controller = metatype as Type<object>;
      const name = controller.name.replace(/(Controller|Routes)$/, '');
      for (const handler of Object.getOwnPropertyNames(controller.prototype)) {
        found.set(`${name}_${handler}`, dtosOf(controller, handler));
      }
    }
  }
  return found;
}

function dtosOf(controller: Type<object>, handler: string): Dtos {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Record<string, unknown>;
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler) as Type<object>[];
  const of = (kind: RouteParamtypes): Type<object> | undefined => {
    const [, index] =
      Object.keys(args)
        .map((key) => key.split(':'))
        .find(([place]) => Number(place) === (kind as number)) ?? [];
    const type = index === undefined ? undefined : types[Number(index)];
    return type === undefined || ([Object, String, Buffer] as unknown[]).includes(type) ? undefined : type;
  };
  const [body, query] = [of(RouteParamtypes.BODY), of(RouteParamtypes.QUERY)];
  return { ...(body && { body }), ...(query && { query }) };
}

/** The instances that the validation pipe would judge. */
function instancesOf({ path, body }: RawRequest, dtos: Dtos): object[] {
  const query = dtos.query && instanceOf(dtos.query, withObjects({ ...parse(path.split('?')[1] ?? '') }), '', []);
  const plain = dtos.body && parsed(Buffer.from(body ?? '{}'));
  return [...(query ? [query] : []), ...(isObject(plain) ? [instanceOf(dtos.body!, plain, '', [])] : [])];
}

/** `undefined` for a body that the parser refuses. */
function parsed(bytes: Buffer): unknown {
  try {
    return parseJsonBody(bytes);
  } catch {
    return undefined;
  }
}

describe('Compiled rules', () => {
  it('accept the examples of all bodies in the document', () => {
    const withBody = described.filter(({ dtos }) => dtos.body);
    expect(withBody.length).toBeGreaterThan(30);
    const refused = withBody.flatMap(({ operation, dtos }) => {
      const examples = Object.values(mediaOf(document, operation).examples ?? {}).map(({ value }) => value);
      return [prefilled(document, operation), ...examples]
        .filter((example) => !isAccepted(instanceOf(dtos.body!, example as object, '', [])))
        .map((example) => `${operation.name}: ${JSON.stringify(example)}`);
    });
    expect(refused).toEqual([]);
  });

  it('agree with class-validator on generated bodies and queries of every operation', () => {
    let accepted = 0;
    const faults = described
      .filter(({ dtos }) => Object.keys(dtos).length > 0)
      .flatMap(({ operation, dtos }) => {
        const requests = requestsFor(document, { ...operation, path: '/' }, NOTHING);
        const property = fc.property(requests, (request) => {
          for (const instance of instancesOf(request, dtos)) {
            const before = JSON.stringify(instance);
            const isGood = isAccepted(instance);
            accepted += Number(isGood);
            const errors = validateSync(instance);
            if (isGood !== (errors.length === 0)) throw new Error(`${isGood}: ${before}: ${errors.join()}`);
            if (JSON.stringify(instance) !== before) throw new Error(`changed: ${before}`);
          }
        });
        const run = fc.check(property, { numRuns: runs(REQUESTS) });
        return run.failed ? [`${operation.name}: seed ${run.seed}: ${String(run.errorInstance)}`.slice(0, 1_000)] : [];
      });
    expect(faults).toEqual([]);
    expect(accepted).toBeGreaterThan(described.length);
  });
});
