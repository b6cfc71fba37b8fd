export const EDITOR_TABS = ['form', 'json', 'versions', 'rollouts'] as const;

export type EditorTab = (typeof EDITOR_TABS)[number];

export interface EditorSearch {
  /** The edited version; default: the active one. */
  version?: number;
  tab?: EditorTab;
  /** The two versions to compare. */
  from?: number;
  to?: number;
  /** The shown rollout; default: the running one. */
  rollout?: number;
}

/** Removes unknown and invalid parameters. */
export const validEditorSearch = (search: Record<string, unknown>): EditorSearch => ({
  ...numberIn(search, 'version'),
  ...(EDITOR_TABS.includes(search.tab as EditorTab) && { tab: search.tab as EditorTab }),
  ...numberIn(search, 'from'),
  ...numberIn(search, 'to'),
  ...numberIn(search, 'rollout'),
});

const numberIn = (search: Record<string, unknown>, name: string): Record<string, number> => {
  const value = search[name];
  return Number.isSafeInteger(value) && Number(value) > 0 ? { [name]: Number(value) } : {};
};
