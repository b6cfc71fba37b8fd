import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { api } from '../api/client';
import { recentOf, remember } from '../api/recent';
import { useSession } from '../api/session';
import { ProblemNotice } from '../ui/problem-notice';
import { find, type Match } from './find';

interface Answer {
  text: ReactNode;
  choices: Match[];
  /** The page where it was requested: it is shown only there. */
  path: string;
}

/**
 * Search by id, order, customer, amount or card; the key `/` focuses it. One match opens. Several are offered, and
 * the arrow keys move through them. An empty field offers the objects that were opened last.
 */
export function Search() {
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const navigate = useNavigate();
  const { merchant } = useSession();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [given, setGiven] = useState<Answer>();
  const [active, setActive] = useState(-1);
  const answer = given?.path === path ? given : undefined;
  const choices = answer?.choices ?? [];
  const show = (text: ReactNode, matches: Match[] = []): void => {
    setActive(-1);
    setGiven({ text, choices: matches, path });
  };
  const close = (): void => {
    setActive(-1);
    setGiven(undefined);
  };
  const showRecent = (): void => {
    const recent = recentOf(merchant.id);
    if (recent.length > 0) show('Opened last', recent);
  };
  useSlash(() => input.current?.focus());
  const open = (match: Match): void => {
    close();
    remember(merchant.id, match);
    input.current!.value = '';
    input.current!.blur();
    void navigate({ to: match.to, search: match.search ?? {} });
  };
  const submit = async (text: string): Promise<void> => {
    show('Searching …');
    try {
      const matches = await find(text, api);
      if (input.current?.value.trim() !== text) return; // the user has typed something else
      if (matches.length === 1) open(matches[0]!);
      else show(matches.length === 0 ? `Nothing found for ${text}` : `${matches.length} matches`, matches);
    } catch (error) {
      show(<ProblemNotice error={error} />);
    }
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') close();
    if (step === undefined) return;
    event.preventDefault();
    if (choices.length === 0) showRecent();
    else setActive((active + step + choices.length + (active < 0 && step < 0 ? 1 : 0)) % choices.length);
  };
  return (
    <form
      className="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const chosen = choices[active];
        const text = input.current!.value.trim();
        if (chosen) open(chosen);
        else if (text !== '') void submit(text);
      }}
      onBlur={({ currentTarget, relatedTarget }) =>
        !currentTarget.contains(relatedTarget) && choices.length > 0 && close()
      }
    >
      <input
        ref={input}
        type="search"
        role="combobox"
        aria-label="Search by id, order, customer, amount or card"
        aria-expanded={choices.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={choices[active] === undefined ? undefined : `${listId}-${active}`}
        placeholder="Search"
        title="Ids of payments, refunds, customers, deliveries and providers; or a part of an order or a customer, an amount, the last digits of a card (press /)"
        spellCheck={false}
        autoComplete="off"
        maxLength={255}
        onFocus={({ target }) => target.value === '' && showRecent()}
        onChange={({ target }) => (target.value === '' ? showRecent() : close())}
        onKeyDown={onKey}
      />
      <kbd aria-hidden="true">/</kbd>
      <div className="search-answer" hidden={answer === undefined}>
        <div role="status" className={choices.length > 0 ? 'muted small' : undefined}>
          {answer?.text}
        </div>
        <ul className="search-choices" role="listbox" id={listId} aria-label="Matches" hidden={choices.length === 0}>
          {choices.map((match, index) => (
            <li
              key={match.label}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              // the field keeps the focus
              onMouseDown={(event) => event.preventDefault()}
              onMouseEnter={() => setActive(index)}
              onClick={() => open(match)}
            >
              {match.label} {match.detail !== undefined && <span className="muted small">{match.detail}</span>}
            </li>
          ))}
        </ul>
      </div>
    </form>
  );
}

const TYPES_TEXT = 'input, textarea, select, [contenteditable]';

function useSlash(focus: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEventInit & Event): void => {
      const isTyping = (event.target as Element | null)?.closest(TYPES_TEXT);
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      event.preventDefault();
      focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [focus]);
}
