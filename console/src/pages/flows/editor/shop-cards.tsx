import { useState } from 'react';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { Select } from '../../../ui/field';
import { newShop } from '../model/definition-form';
import type { DefinitionForm, ShopForm } from '../model/form';
import { moved, replaced, without } from '../model/order';
import type { FormProps } from './form-props';
import { OtherErrors } from './errors-context';
import { OrderedCards } from './ordered-cards';
import { ShopFields } from './shop-fields';
import { usesPriorities, usesWeights } from './strategies';

export function ShopCards({ form, onChange, shops, nameOf }: FormProps) {
  const hasPriorities = usesPriorities(form);
  const change = (members: ShopForm[]): void => onChange({ ...form, shops: members });
  return (
    <Card title="Shops">
      <p className="muted small">
        {hasPriorities
          ? 'The lowest priority number comes first. Moving a shop renumbers all shops from 1.'
          : 'The order has no effect with this strategy.'}
      </p>
      <OrderedCards
        label="Shops of the flow"
        items={form.shops}
        nameOf={({ shopId }) => nameOf(shopId)}
        noteOf={(member) => <Notes member={member} form={form} isOn={shops.get(member.shopId)?.enabled ?? true} />}
        onMove={(from, to) => {
          const order = moved(form.shops, from, to);
          change(hasPriorities ? order.map((member, index) => ({ ...member, priority: index + 1 })) : order);
        }}
        onRemove={(index) => change(without(form.shops, index))}
      >
        {(member, index) => (
          <ShopFields
            member={member}
            path={`shops[${index}]`}
            hasWeight={usesWeights(form)}
            hasPriority={hasPriorities}
            onChange={(changed) => change(replaced(form.shops, index, changed))}
          />
        )}
      </OrderedCards>
      <OtherErrors field="shops" shown={form.shops.map((_, index) => `shops[${index}]`)} />
      <AddShop
        others={[...shops.values()].filter(({ id }) => !form.shops.some(({ shopId }) => shopId === id))}
        onAdd={(id) => change([...form.shops, newShop(id)])}
      />
    </Card>
  );
}

function Notes({ member, form, isOn }: { member: ShopForm; form: DefinitionForm; isOn: boolean }) {
  const weights = form.shops.filter(({ enabled }) => enabled !== false).map(({ weight = 1 }) => Number(weight) || 0);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const share = (Number(member.weight ?? 1) || 0) / sum;
  return (
    <>
      {!isOn && <Badge tone="warn">shop disabled</Badge>}
      {member.enabled === false && <Badge tone="neutral">not used</Badge>}
      {form.strategy === 'weighted' && member.enabled !== false && sum > 0 && (
        <span className="muted small number nowrap">{Math.round(share * 100)} %</span>
      )}
    </>
  );
}

function AddShop({ others, onAdd }: { others: { id: number; name: string }[]; onAdd: (id: number) => void }) {
  const [chosen, setChosen] = useState('');
  const options = others.map(({ id, name }) => ({ value: String(id), label: name }));
  const value = options.some((option) => option.value === chosen) ? chosen : (options[0]?.value ?? '');
  if (options.length === 0) return <p className="muted small">All your shops are in the flow.</p>;
  return (
    <div className="add-row">
      <Select label="Add a shop" options={options} value={value} onChange={({ target }) => setChosen(target.value)} />
      <Button onClick={() => onAdd(Number(value))}>Add shop</Button>
    </div>
  );
}
