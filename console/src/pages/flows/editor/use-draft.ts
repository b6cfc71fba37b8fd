import { useState } from 'react';
import { definitionOf } from '../model/definition-form';
import { type DraftState, openedDraft, unsaved, withForm, withText } from '../model/draft';
import type { Definition, DefinitionForm } from '../model/form';
import { keepDraft, readDraft } from '../model/kept-draft';

export interface Draft extends DraftState {
  definition: Definition;
  isChanged: boolean;
  change: (form: DefinitionForm) => void;
  /** As JSON. */
  type: (text: string) => void;
  /** Its author knows that `base` is the active version by now. */
  rebase: (base: number) => void;
  /** Back to what is stored. */
  discard: () => void;
  /** What was edited is stored, and payments go by `version` now. */
  activated: (version: number) => void;
}

interface Edited {
  flow: { id: number; version: number };
  /** Must stay the same version. */
  shown: { version: number; definition: Definition };
  /** It is being saved: what would be typed now would be lost with what is saved. */
  isFrozen: boolean;
}

/** A version while it is edited. Changes are kept in the tab. */
export function useDraft({ flow, shown: { version, definition: stored }, isFrozen }: Edited): Draft {
  const [state, setState] = useState(() =>
    openedDraft(stored, flow.version, readDraft(sessionStorage, flow.id, version)),
  );
  const take = (next: DraftState): void => {
    keepDraft(sessionStorage, flow.id, version, unsaved(next, stored));
    setState(next);
  };
  const edit = (next: DraftState): void => (isFrozen ? undefined : take(next));
  return {
    ...state,
    definition: definitionOf(state.form),
    isChanged: unsaved(state, stored) !== undefined,
    change: (form) => edit(withForm(state, form)),
    type: (text) => edit(withText(state, text)),
    rebase: (base) => take({ ...state, base }),
    discard: () => take(openedDraft(stored, flow.version)),
    activated: (active) => take(openedDraft(stored, active)),
  };
}
