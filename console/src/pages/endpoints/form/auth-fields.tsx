import { useState } from 'react';
import { errorsWithin, fieldError } from '../../../ui/field-errors';
import { Select, TextField } from '../../../ui/field';
import { AUTH_FIELDS, AUTH_NAMES, type AuthType, type EndpointValues } from './endpoint-values';
import { FieldGroup } from './field-group';
import type { FormPart } from './form-part';
import { KeepOrReplace } from './keep-or-replace';

const TYPES = Object.keys(AUTH_NAMES) as AuthType[];

/** How the service authenticates to the receiver, in addition to the signature. */
export function AuthFields({ values, set, error }: FormPart) {
  const { authType, keepsAuth } = values;
  const [stored] = useState(keepsAuth && authType !== 'none' ? AUTH_NAMES[authType] : undefined);
  return (
    <FieldGroup
      legend="Authentication (optional)"
      hint="Every request has a signature. Receivers behind a gateway may need this as well."
      error={authType === 'none' ? errorsWithin(error, 'auth') : fieldError(error, 'auth')}
    >
      {stored !== undefined && (
        <KeepOrReplace stored={stored} keeps={keepsAuth} onChange={(keeps) => set({ keepsAuth: keeps })} />
      )}
      {!keepsAuth && (
        <>
          <Select
            label="Type"
            value={authType}
            onChange={({ target }) => set({ authType: target.value as EndpointValues['authType'] })}
            options={[{ value: 'none', label: 'None' }, ...TYPES.map((value) => ({ value, label: AUTH_NAMES[value] }))]}
            error={fieldError(error, 'auth.type')}
          />
          {authType !== 'none' && <TypeFields type={authType} values={values} set={set} error={error} />}
        </>
      )}
    </FieldGroup>
  );
}

const TypeFields = ({ type, values: { auth }, set, error }: FormPart & { type: AuthType }) => (
  <div className="auth-fields">
    {AUTH_FIELDS[type].map(({ name, label, isSecret, isOptional }) => (
      <TextField
        key={name}
        label={label}
        type={isSecret ? 'password' : 'text'}
        autoComplete={isSecret ? 'new-password' : 'off'}
        required={!isOptional}
        spellCheck={false}
        value={auth[name] ?? ''}
        onChange={({ target }) => set({ auth: { ...auth, [name]: target.value } })}
        error={fieldError(error, `auth.${name}`)}
      />
    ))}
  </div>
);
