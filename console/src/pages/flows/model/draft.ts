import { definitionForm, definitionOf } from './definition-form';
import { formOfText } from './definition-text';
import { isEqual } from './diff';
import type { Definition, DefinitionForm } from './form';

/** The state of an edited version. */
export interface DraftState {
  form: DefinitionForm;
  /** The typed JSON while it is not a valid definition. The form keeps the last valid one. */
  unread?: string;
  /** The version that was active when the changes began. */
  base: number;
}

/** Unsaved changes as stored in the tab; `draft` is a text while it is not a valid definition. */
export interface KeptDraft {
  draft: Definition | string;
  base: number;
}

export function openedDraft(stored: Definition, activeVersion: number, kept?: KeptDraft): DraftState {
  const { draft = stored, base = activeVersion } = kept ?? {};
  if (typeof draft === 'string') return { form: definitionForm(stored), unread: draft, base };
  return { form: definitionForm(draft), base };
}

export const withForm = ({ base }: DraftState, form: DefinitionForm): DraftState => ({ form, base });

export function withText(state: DraftState, text: string): DraftState {
  const read = formOfText(text);
  return 'form' in read ? withForm(state, read.form) : { ...state, unread: text };
}

/** The unsaved changes; `undefined` if the draft equals `stored`. */
export function unsaved({ form, unread, base }: DraftState, stored: Definition): KeptDraft | undefined {
  if (unread !== undefined) return { draft: unread, base };
  const draft = definitionOf(form);
  return isEqual(draft, definitionOf(definitionForm(stored))) ? undefined : { draft, base };
}
