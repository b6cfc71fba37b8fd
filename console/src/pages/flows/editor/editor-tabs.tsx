import { useNavigate } from '@tanstack/react-router';
import type { KeyboardEvent } from 'react';
import { EDITOR_TABS, type EditorSearch, type EditorTab } from '../editor-search';

const LABELS: Record<EditorTab, string> = { form: 'Form', json: 'JSON', versions: 'Versions', rollouts: 'Rollouts' };

/** The arrow keys move between tabs, as WAI-ARIA requires. */
export function EditorTabs({ flowId, tab, search }: { flowId: number; tab: EditorTab; search: EditorSearch }) {
  const navigate = useNavigate();
  const open = (next: EditorTab): void =>
    void navigate({
      to: '/flows/$flowId',
      params: { flowId: String(flowId) },
      search: { ...search, tab: next === 'form' ? undefined : next },
      replace: true,
      resetScroll: false,
    });
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined) return;
    const next = EDITOR_TABS.at((EDITOR_TABS.indexOf(tab) + step) % EDITOR_TABS.length)!;
    open(next);
    currentTarget.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label="Views of the definition" onKeyDown={onKeyDown}>
      {EDITOR_TABS.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`tab-${each}`}
          className="tab"
          aria-selected={each === tab}
          aria-controls={each === tab ? `panel-${each}` : undefined}
          tabIndex={each === tab ? 0 : -1}
          onClick={() => open(each)}
        >
          {LABELS[each]}
        </button>
      ))}
    </div>
  );
}
