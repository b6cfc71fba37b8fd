import { useState } from 'react';
import { definitionOf } from '../model/definition-form';
import { type DraftState, openedDraft, unsaved, withForm, withText } from '../model/draft';
import type { Definition, DefinitionForm } from '../model/form';
import { keepDraft, readDraft } from '../model/kept-draft';

export interface Draft extends DraftState {
  definition: Definition;
  isChanged: boolean;
  change: (form: DefinitionForm) => void;
  /** Changes the definition as JSON. */
  type: (text: string) => void;
  /** Sets `base` as the new base, after the user has seen that it is the active version. */
  rebase: (base: number) => void;
  /** Returns to the stored definition. */
  discard: () => void;
  /** Called when the changes are stored and `version` is active. */
  activated: (version: number) => void;
}

interface Edited {
  flow: { id: number; version: number };
  /** The edited version; it must not change. */
  shown: { version: number; definition: Definition };
  /** Ignores edits while a save is running, because they would be lost when it ends. */
  isFrozen: boolean;
}

/** The state of an edited version. Unsaved changes are kept in the tab. */
export function useDraft({ flow, shown: { version, definition: stored }, isFrozen }: Edited): Draft {
  const [state, setState] = useState(() =>
    openedDraft(stored, flow.version, readDraft(sessionStorage, flow.id, version)),
  );
  const store = (next: DraftState): void => {
    keepDraft(sessionStorage, flow.id, version, unsaved(next, stored));
    setState(next);
  };
  const edit = (next: DraftState): void => (isFrozen ? undefined : store(next));
  return {
    ...state,
    definition: definitionOf(state.form),
    isChanged: unsaved(state, stored) !== undefined,
    change: (form) => edit(withForm(state, form)),
    type: (text) => edit(withText(state, text)),
    rebase: (base) => store({ ...state, base }),
    discard: () => store(openedDraft(stored, flow.version)),
    activated: (active) => store(openedDraft(stored, active)),
  };
}
