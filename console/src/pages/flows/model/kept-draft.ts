import type { KeptDraft } from './draft';

/** The part of the browser's storage that is used. */
export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const keyOf = (flowId: number, version: number): string => `flow ${flowId} version ${version}`;

/** Reads the unsaved changes of a version; they are kept while the tab is open. */
export function readDraft(storage: Storage, flowId: number, version: number): KeptDraft | undefined {
  try {
    const kept = JSON.parse(storage.getItem(keyOf(flowId, version)) ?? '{}') as Partial<KeptDraft>;
    return kept.draft === undefined ? undefined : (kept as KeptDraft);
  } catch {
    return undefined;
  }
}

/** Stores unsaved changes; `undefined` removes them. A full or disabled storage keeps nothing. */
export function keepDraft(storage: Storage, flowId: number, version: number, draft: KeptDraft | undefined): void {
  try {
    if (draft === undefined) storage.removeItem(keyOf(flowId, version));
    else storage.setItem(keyOf(flowId, version), JSON.stringify(draft));
  } catch {
    // the user is asked for confirmation before leaving anyway
  }
}

/** The versions of the flow that have unsaved changes. */
export function keptVersions(storage: Storage, flowId: number): number[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  const start = keyOf(flowId, 0).slice(0, -1);
  return keys.filter((key) => key.startsWith(start)).map((key) => Number(key.slice(start.length)));
}
