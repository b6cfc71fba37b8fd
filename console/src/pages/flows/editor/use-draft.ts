import { useState } from 'react';
import { definitionForm, definitionOf } from '../model/definition-form';
import { isEqual } from '../model/diff';
import type { Definition, DefinitionForm } from '../model/form';
import { keepDraft, readDraft } from '../model/kept-draft';

interface Draft {
  form: DefinitionForm;
  definition: Definition;
  isChanged: boolean;
  change: (form: DefinitionForm) => void;
  /** Back to what is stored. */
  discard: () => void;
}

/** A version while it is edited. Changes are kept in the tab; `stored` must stay the same version. */
export function useDraft(flowId: number, version: number, stored: Definition): Draft {
  const [form, setForm] = useState(() => definitionForm(readDraft(sessionStorage, flowId, version) ?? stored));
  const definition = definitionOf(form);
  const asStored = definitionOf(definitionForm(stored));
  const change = (changed: DefinitionForm): void => {
    const draft = definitionOf(changed);
    keepDraft(sessionStorage, flowId, version, isEqual(draft, asStored) ? undefined : draft);
    setForm(changed);
  };
  return {
    form,
    definition,
    isChanged: !isEqual(definition, asStored),
    change,
    discard: () => change(definitionForm(stored)),
  };
}
