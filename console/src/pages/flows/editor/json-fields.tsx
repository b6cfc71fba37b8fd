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

/** The definition as JSON. A text that is no valid definition stays in the field and does not change the form. */
export function JsonFields({ draft: { definition, unread, type } }: { draft: Draft }) {
  const [typed, setTyped] = useState(() => textOfDefinition(definition));
  const text = unread ?? (represents(typed, definition) ? typed : textOfDefinition(definition));
  const errors = [...useFieldErrors()].map(([path, message]) => `${path}: ${message}`);
  return (
    <Card title="Definition" actions={<CopyButton text={textOfDefinition(definition)} />}>
      <TextArea
        label="JSON for POST /flows/{id}/versions"
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

function represents(text: string, definition: Definition): boolean {
  const read = formOfText(text);
  return 'form' in read && isEqual(definitionOf(read.form), definition);
}

function problemOf(text: string): string | undefined {
  const read = formOfText(text);
  return 'problem' in read ? `${read.problem}. The form still shows the previous definition.` : undefined;
}
