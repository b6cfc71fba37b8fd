import type { ReactNode } from 'react';
import type { Meaning } from './answer-meaning';

/** The page about the codes is Markdown: of that, `code`. */
const withCode = (text: string): ReactNode[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part + String(index)}>{part}</code> : part));

export const MeaningText = ({ meaning: { what, toDo } }: { meaning: Meaning }) => (
  <p>
    {capital(withCode(what))}.{toDo !== null && <> What to do: {withCode(toDo)}.</>}
  </p>
);

function capital([first, ...rest]: ReactNode[]): ReactNode[] {
  return [typeof first === 'string' ? first.charAt(0).toUpperCase() + first.slice(1) : first, ...rest];
}
