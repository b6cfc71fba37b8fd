import type { Schema } from '@payment-orchestrator/client';
import { plainText, useEventTypes } from '../../../api/use-event-types';
import { useShops } from '../../../api/use-shops';
import { errorsWithin, fieldError } from '../../../ui/field-errors';
import { Select } from '../../../ui/field';
import { PageLoading } from '../../../ui/loading';
import { ProblemNotice } from '../../../ui/problem-notice';
import type { Format } from './endpoint-values';
import { FieldGroup } from './field-group';
import type { FormPart } from './form-part';

const toggled = <T,>(chosen: readonly T[], value: T, isChosen: boolean): T[] =>
  isChosen ? [...chosen, value] : chosen.filter((each) => each !== value);

/** Which events the endpoint gets: their types, the shops, and the format. */
export const EventFields = ({ values, set, error }: FormPart) => (
  <>
    <EventTypes values={values} set={set} error={error} />
    <ShopChoice values={values} set={set} error={error} />
    <Select
      label="Format"
      value={values.format}
      onChange={({ target }) => set({ format: target.value as Format })}
      options={[
        { value: 'json', label: 'JSON: the body of the event, signed' },
        { value: 'slack', label: 'Slack: a message for a chat' },
      ]}
      hint="Chats with incoming webhooks of Slack’s format show the event as a sentence. They verify no signature."
      error={fieldError(error, 'format')}
    />
  </>
);

function EventTypes({ values: { eventTypes }, set, error }: FormPart) {
  const { types, error: unread } = useEventTypes();
  return (
    <FieldGroup
      legend="Events"
      hint="The endpoint gets every event of these types."
      error={errorsWithin(error, 'event_types')}
    >
      {types.length === 0 && (unread ? <ProblemNotice error={unread} /> : <PageLoading />)}
      <div className="choices">
        {types.map((type) => (
          <EventChoice
            key={type.name}
            type={type}
            isChosen={eventTypes.includes(type.name)}
            onChange={(isChosen) => set({ eventTypes: toggled(eventTypes, type.name, isChosen) })}
          />
        ))}
      </div>
    </FieldGroup>
  );
}

interface EventChoiceProps {
  type: Schema<'EventTypeDescription'>;
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
}

const EventChoice = ({ type: { name, description }, isChosen, onChange }: EventChoiceProps) => (
  <label className="choice">
    <input type="checkbox" checked={isChosen} onChange={({ target }) => onChange(target.checked)} />
    <span>
      <code>{name}</code>
      <span className="small muted">{plainText(description)}</span>
    </span>
  </label>
);

function ShopChoice({ values: { isForAllShops, shopIds }, set, error }: FormPart) {
  const shops = useShops();
  const unknown = shopIds.filter((id) => !shops.has(id)).map((id) => ({ id, name: `Shop ${id}` }));
  const options = [...shops.values(), ...unknown];
  const choose = (forAll: boolean) => (
    <label className="check">
      <input
        type="radio"
        name="for-shops"
        checked={isForAllShops === forAll}
        disabled={!forAll && options.length === 0}
        onChange={() => set({ isForAllShops: forAll })}
      />
      {forAll ? 'All shops, also later ones, and events of no shop' : 'Only these shops'}
    </label>
  );
  return (
    <FieldGroup
      legend="Shops"
      {...(options.length === 0 && {
        hint: 'To choose shops, there must be shops, and you need the right to read them.',
      })}
      error={errorsWithin(error, 'shop_ids')}
    >
      {choose(true)}
      {choose(false)}
      {!isForAllShops && (
        <div className="choices choices-shops" role="group" aria-label="Shops to choose from">
          {options.map(({ id, name }) => (
            <label key={id} className="choice">
              <input
                type="checkbox"
                checked={shopIds.includes(id)}
                onChange={({ target }) => set({ shopIds: toggled(shopIds, id, target.checked) })}
              />
              <span>
                <bdi>{name}</bdi> <span className="small muted">{id}</span>
              </span>
            </label>
          ))}
        </div>
      )}
    </FieldGroup>
  );
}
