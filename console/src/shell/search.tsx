import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { find } from './find';

/** `/` puts the cursor here. Finds one payment or delivery by any of its ids, and says so when there is none. */
export function Search() {
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const [answer, setAnswer] = useState<string>();
  useSlash(() => input.current?.focus());
  const submit = async (text: string): Promise<void> => {
    setAnswer('Searching …');
    const found = await find(text).catch((error: unknown) => ({ problem: String(error) }));
    if ('problem' in found) return setAnswer(found.problem);
    setAnswer(undefined);
    input.current!.value = '';
    input.current!.blur();
    await navigate(found);
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
        title="A payment’s id, its session id, its provider transaction id, or a delivery’s id (press /)"
        spellCheck={false}
        autoComplete="off"
        maxLength={255}
        onChange={() => setAnswer(undefined)}
      />
      <kbd aria-hidden="true">/</kbd>
      {answer !== undefined && (
        <p className="search-answer" role="status">
          {answer}
        </p>
      )}
    </form>
  );
}

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
