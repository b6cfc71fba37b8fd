import { definitionForm, definitionOf } from './definition-form';
import { diff, isEqual } from './diff';
import type { Definition, DefinitionForm } from './form';

/** A definition as indented JSON. */
export const textOfDefinition = (definition: Definition): string => JSON.stringify(definition, null, 2);

/** Parses the text to a form; otherwise returns the reason as a sentence. */
export function formOfText(text: string): { form: DefinitionForm } | { problem: string } {
  try {
    const definition = JSON.parse(text) as Definition;
    const form = definitionForm(definition);
    const lost = isEqual(withoutDefaults(definition), definitionOf(form)) ? [] : diff(definition, definitionOf(form));
    if (lost.length === 0) return { form };
    return { problem: `The form cannot show ${lost.map(({ path }) => path || 'the definition').join(', ')}` };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: `Not JSON: ${error.message}` };
    return { problem: 'A definition needs a strategy and shops, and conditions of rules must be objects' };
  }
}

/** Removes empty conditions, which mean the same as none. */
const withoutDefaults = ({ shops, ...rest }: Definition): Definition => ({
  ...rest,
  shops: shops.map(({ conditions, ...shop }) => ({
    ...shop,
    ...(conditions && Object.keys(conditions).length > 0 && { conditions }),
  })),
});
