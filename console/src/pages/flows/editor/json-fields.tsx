import { useState } from 'react';
import { TextArea } from '../../../ui/field';
import { Card } from '../../../ui/card';
import { CopyButton } from '../../../ui/values';
import { definitionOf } from '../model/definition-form';
import { formOfText, textOfDefinition } from '../model/definition-text';
import { isEqual } from '../model/diff';
import type { Definition, DefinitionForm } from '../model/form';
import { useFieldErrors } from './errors-context';

interface Props {
  definition: Definition;
  onChange: (form: DefinitionForm) => void;
}

/** The definition as the API has it. What is no definition is not taken over, and stays as it is typed. */
export function JsonFields({ definition, onChange }: Props) {
  const [typed, setTyped] = useState(() => textOfDefinition(definition));
  const read = formOfText(typed);
  const problem = 'problem' in read ? read.problem : undefined;
  const isTyped = 'problem' in read || isEqual(definitionOf(read.form), definition);
  const errors = [...useFieldErrors()].map(([path, message]) => `${path}: ${message}`);
  const type = (text: string): void => {
    setTyped(text);
    const now = formOfText(text);
    if ('form' in now) onChange(now.form);
  };
  return (
    <Card title="Definition" actions={<CopyButton text={textOfDefinition(definition)} />}>
      <TextArea
        label="JSON, as POST /flows/{id}/versions takes it"
        className="json-input"
        rows={24}
        spellCheck={false}
        value={isTyped ? typed : textOfDefinition(definition)}
        error={problem === undefined ? undefined : `${problem}. The form still has what was there before.`}
        onChange={({ target }) => type(target.value)}
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
