/** What was typed into a field; what was copied with the text around it is not meant. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
