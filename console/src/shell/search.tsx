import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api } from '../api/client';
import { ProblemNotice } from '../ui/problem-notice';
import { find, type Match } from './find';

/** Search by id; the key `/` focuses it. One match opens, several are offered, no match is reported. */
export function Search() {
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [given, setGiven] = useState<{ answer: ReactNode; path: string }>();
  const setAnswer = (answer: ReactNode): void => setGiven({ answer, path });
  // an answer is shown only on the page where it was requested
  const answer = given?.path === path ? given.answer : undefined;
  useSlash(() => input.current?.focus());
  const open = (match: Match): void => {
    setAnswer(undefined);
    input.current!.value = '';
    input.current!.blur();
    void navigate(match);
  };
  const submit = async (text: string): Promise<void> => {
    setAnswer('Searching …');
    try {
      const matches = await find(text, api);
      if (input.current?.value.trim() !== text) return; // the user has typed something else
      if (matches.length === 1) open(matches[0]!);
      else
        setAnswer(
          matches.length === 0 ? `No payment or delivery found for ${text}` : <Choices matches={matches} open={open} />,
        );
    } catch (error) {
      setAnswer(<ProblemNotice error={error} />);
    }
  };
  return (
    <form
      className="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const text = input.current!.value.trim();
        if (text !== '') void submit(text);
      }}
    >
      <input
        ref={input}
        type="search"
        aria-label="Search by payment, session, transaction or delivery id"
        placeholder="Search by id"
        title="Payment id, session id, provider transaction id or delivery id (press /)"
        spellCheck={false}
        autoComplete="off"
        maxLength={255}
        onChange={() => setAnswer(undefined)}
        onKeyDown={({ key }) => key === 'Escape' && setAnswer(undefined)}
      />
      <kbd aria-hidden="true">/</kbd>
      {answer !== undefined && (
        <div className="search-answer" role="status">
          {answer}
        </div>
      )}
    </form>
  );
}

const Choices = ({ matches, open }: { matches: Match[]; open: (match: Match) => void }) => (
  <ul className="search-choices">
    {matches.map((match) => (
      <li key={match.label}>
        <button type="button" className="button button-quiet" onClick={() => open(match)}>
          {match.label}
        </button>
      </li>
    ))}
  </ul>
);

const TYPES_TEXT = 'input, textarea, select, [contenteditable]';

function useSlash(focus: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = (event.target as Element | null)?.closest(TYPES_TEXT);
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      event.preventDefault();
      focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [focus]);
}
