import { isObject } from '@payment-orchestrator/routing/field-error';

export { isObject };

/** JSON with sorted keys: the same for any order of the fields. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
