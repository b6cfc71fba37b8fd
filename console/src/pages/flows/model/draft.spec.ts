import { describe, expect, it } from '@jest/globals';
import { definitionForm, definitionOf } from './definition-form';
import { openedDraft, unsaved, withForm, withText } from './draft';
import type { Definition } from './form';

const stored: Definition = { strategy: 'weighted', shops: [{ shop_id: 1, weight: 2 }] };
const changed: Definition = { ...stored, max_attempts: 2 };
const NO_JSON = '{"strategy": "wei';

describe('a draft', () => {
  const draft = openedDraft(stored, 3);

  it('reports no unsaved changes until the definition differs', () => {
    expect(unsaved(draft, stored)).toBeUndefined();
    expect(unsaved(withForm(draft, definitionForm(changed)), stored)).toEqual({ draft: changed, base: 3 });
    expect(unsaved(withText(draft, JSON.stringify(stored, null, 4)), stored)).toBeUndefined();
  });

  it('reports unsaved changes while its JSON is invalid', () => {
    const typed = withText(draft, NO_JSON);
    expect(unsaved(typed, stored)).toEqual({ draft: NO_JSON, base: 3 });
    expect(definitionOf(typed.form)).toEqual(stored);
  });

  it('applies JSON as soon as it is a definition', () => {
    const typed = withText(withText(draft, NO_JSON), JSON.stringify(changed));
    expect([typed.unread, definitionOf(typed.form)]).toEqual([undefined, changed]);
  });

  it.each([
    ['invalid JSON', withText(draft, NO_JSON)],
    ['a definition', withForm(draft, definitionForm(changed))],
  ])('opens again with its changes and its base version: %s', (_, left) => {
    const opened = openedDraft(stored, 4, unsaved(left, stored));
    expect(unsaved(opened, stored)).toEqual(unsaved(left, stored));
    expect([opened.base, openedDraft(stored, 4).base]).toEqual([3, 4]);
  });
});
