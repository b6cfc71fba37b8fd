import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { fieldError } from '../../../ui/field-errors';
import { TextField } from '../../../ui/field';
import { ProblemNotice } from '../../../ui/problem-notice';
import { AddressTest } from './address-test';
import type { EndpointValues } from './endpoint-values';
import { EventFields } from './event-fields';
import { repetitionIn } from './header-fields';
import { RequestFields } from './request-fields';

interface Props {
  initial: EndpointValues;
  isNew: boolean;
  /** The label of the submit button. */
  action: string;
  onSubmit: (values: EndpointValues) => void;
  isBusy: boolean;
  error: unknown;
  /** The link that leaves the form. */
  cancel: ReactNode;
}

/** The form of a standing endpoint. After a refusal the first wrong field has the focus. */
export function EndpointForm({ initial, isNew, action, onSubmit, isBusy, error, cancel }: Props) {
  const [values, setValues] = useState(initial);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => focusFirstError(form.current!), [error]);
  const part = { values, set: (some: Partial<EndpointValues>) => setValues((now) => ({ ...now, ...some })), error };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const isRepeated = !values.keepsHeaders && repetitionIn(values.headers) !== undefined;
    if (isRepeated) focusFirstError(form.current!);
    else onSubmit(values);
  };
  return (
    <form ref={form} className="endpoint-form" onSubmit={submit} aria-label={action}>
      <Card title="Receiver">
        <TextField
          label="URL"
          type="url"
          required
          maxLength={2048}
          spellCheck={false}
          placeholder="https://merchant.example/webhooks"
          value={values.url}
          onChange={({ target }) => part.set({ url: target.value })}
          error={fieldError(error, 'url')}
        />
        <AddressTest values={values} />
        <TextField
          label="Description (optional)"
          maxLength={500}
          dir="auto"
          value={values.description}
          onChange={({ target }) => part.set({ description: target.value })}
          hint="Who receives it and for what."
          error={fieldError(error, 'description')}
        />
      </Card>
      <Card title="What it gets">
        <EventFields {...part} />
      </Card>
      <Card title="Requests">
        <RequestFields {...part} isNew={isNew} />
      </Card>
      <ProblemNotice error={error} />
      <div className="actions">
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {action}
        </Button>
        {cancel}
      </div>
    </form>
  );
}

const focusFirstError = (form: HTMLFormElement): void =>
  form.querySelector<HTMLElement>('[aria-invalid="true"], .field-error[tabindex]')?.focus();
