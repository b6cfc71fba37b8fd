import { definitionForm, definitionOf } from './definition-form';
import { formOfText } from './definition-text';
import { isEqual } from './diff';
import type { Definition, DefinitionForm } from './form';

/** A version while it is edited. */
export interface DraftState {
  form: DefinitionForm;
  /** JSON as it is typed, while it is no definition; the form has what was there before. */
  unread?: string;
  /** The active version that its changes were begun from: what the author compares them with. */
  base: number;
}

/** What is kept of unsaved changes: `draft` is a text while it is no definition. */
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

/** What would be lost; `undefined`: it is as `stored`. */
export function unsaved({ form, unread, base }: DraftState, stored: Definition): KeptDraft | undefined {
  if (unread !== undefined) return { draft: unread, base };
  const draft = definitionOf(form);
  return isEqual(draft, definitionOf(definitionForm(stored))) ? undefined : { draft, base };
}
