import { useState } from 'react';
import { TextArea } from '../../../ui/field';
import { Card } from '../../../ui/card';
import { CopyButton } from '../../../ui/values';
import { definitionOf } from '../model/definition-form';
import { formOfText, textOfDefinition } from '../model/definition-text';
import { isEqual } from '../model/diff';
import type { Definition } from '../model/form';
import { useFieldErrors } from './errors-context';
import type { Draft } from './use-draft';

/** The definition as the API has it. What is no definition is not taken over, and stays as it is typed. */
export function JsonFields({ draft: { definition, unread, type } }: { draft: Draft }) {
  const [typed, setTyped] = useState(() => textOfDefinition(definition));
  const text = unread ?? (standsFor(typed, definition) ? typed : textOfDefinition(definition));
  const errors = [...useFieldErrors()].map(([path, message]) => `${path}: ${message}`);
  return (
    <Card title="Definition" actions={<CopyButton text={textOfDefinition(definition)} />}>
      <TextArea
        label="JSON, as POST /flows/{id}/versions takes it"
        className="json-input"
        rows={24}
        spellCheck={false}
        value={text}
        error={problemOf(text)}
        onChange={({ target }) => {
          setTyped(target.value);
          type(target.value);
        }}
      />
      {errors.length > 0 && (
        <ul className="field-error plain-list">
          {errors.map((error) => (
            <li key={error}>{error}</li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function standsFor(text: string, definition: Definition): boolean {
  const read = formOfText(text);
  return 'form' in read && isEqual(definitionOf(read.form), definition);
}

function problemOf(text: string): string | undefined {
  const read = formOfText(text);
  return 'problem' in read ? `${read.problem}. The form still has what was there before.` : undefined;
}
