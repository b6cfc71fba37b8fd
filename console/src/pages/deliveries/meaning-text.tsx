import type { ReactNode } from 'react';
import page from '../../../../docs/integrate/webhooks.md?raw';
import { type Answer, errorsIn, meaningOf } from './answer-meaning';

const EXPLAINED_ERRORS = errorsIn(page);

/** Renders `code`, the only Markdown in the table of codes. */
const withCode = (text: string): ReactNode[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part + String(index)}>{part}</code> : part));

export function MeaningText({ attempt }: { attempt: Answer }) {
  const { what, toDo } = meaningOf(attempt, EXPLAINED_ERRORS);
  return (
    <p>
      {capital(withCode(what))}.{toDo !== null && <> What to do: {withCode(toDo)}.</>}
    </p>
  );
}

function capital([first, ...rest]: ReactNode[]): ReactNode[] {
  return [typeof first === 'string' ? first.charAt(0).toUpperCase() + first.slice(1) : first, ...rest];
}
