import { createContext, type ReactNode, useContext } from 'react';
import { errorsWithin, type FieldErrors } from '../model/field-errors';

const ErrorsContext = createContext<FieldErrors>(new Map());

export const ErrorsOfFields = ({ errors, children }: { errors: FieldErrors; children: ReactNode }) => (
  <ErrorsContext value={errors}>{children}</ErrorsContext>
);

export const useFieldErrors = (): FieldErrors => useContext(ErrorsContext);

/** The API's message about one field of the definition, such as `shops[0].weight`. */
export const useFieldError = (path: string): string | undefined => useContext(ErrorsContext).get(path);

/** Messages about parts of the field that have no own input. */
export function OtherErrors({ field, shown }: { field: string; shown?: readonly string[] }) {
  const errors = errorsWithin(useFieldErrors(), field, shown);
  if (errors.length === 0) return null;
  return (
    <ul className="field-error plain-list">
      {errors.map((message) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  );
}
