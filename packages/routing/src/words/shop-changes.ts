import type { FlowDefinition, FlowShop } from '../definition/definition.js';
import { takenWords } from './definition-sentences.js';
import { isSame } from './same.js';
import { sharesOf, type ShopNameOf } from './target-words.js';
import { shareWords } from './value-words.js';

type ShopChange = (old: FlowShop, current: FlowShop, name: string, shares: string) => string[];

/** Every field of a shop has words: a new field does not compile without them. */
const FIELDS: Record<Exclude<keyof FlowShop, 'shop_id'>, ShopChange> = {
  enabled: (_, { enabled }, name) => [`${name} is switched ${enabled ? 'on' : 'off'}`],
  weight: (old, { weight }, name, shares) => [`weight of ${name} ${old.weight} → ${weight}${shares}`],
  priority: (old, { priority }, name) => [`priority of ${name} ${old.priority} → ${priority}; the lowest comes first`],
  conditions: (old, { conditions }, name) => [
    `${name} takes ${takenWords(conditions)}; took ${takenWords(old.conditions)}`,
  ],
};

/** The shops that join, leave or change. */
export function shopChanges(before: FlowDefinition, after: FlowDefinition, nameOf: ShopNameOf): string[] {
  const old = new Map(before.shops.map((shop) => [shop.shop_id, shop]));
  const current = new Map(after.shops.map((shop) => [shop.shop_id, shop]));
  const [was, is] = [byWeight(before), byWeight(after)];
  const left = before.shops.filter(({ shop_id: id }) => !current.has(id));
  const named = new Set(left.map(({ shop_id: id }) => id));
  const changes = after.shops.flatMap((shop) => {
    const { shop_id: id } = shop;
    const earlier = old.get(id);
    const shares = is && was ? ` (${shareText(is.get(id))}; was ${shareText(was.get(id))})` : '';
    const texts = earlier
      ? changesOf(earlier, shop, nameOf(id), shares)
      : [`${nameOf(id)} joins the flow${is ? `, with ${shareText(is.get(id))} of the payments` : ''}`];
    if (texts.length > 0) named.add(id);
    return texts;
  });
  return [
    ...left.map(({ shop_id: id }) => `${nameOf(id)} leaves the flow`),
    ...changes,
    ...others({ was, is, named, nameOf }),
  ];
}

const changesOf = (old: FlowShop, current: FlowShop, name: string, shares: string): string[] =>
  Object.entries(FIELDS).flatMap(([field, words]) =>
    isSame(old[field as keyof FlowShop], current[field as keyof FlowShop]) ? [] : words(old, current, name, shares),
  );

type Shares = ReadonlyMap<number, number>;

/** The shares by weight, if all payments of the flow are divided by weight. */
const byWeight = ({ strategy, shops }: FlowDefinition): Shares | undefined =>
  strategy === 'weighted' || strategy === 'sticky' ? sharesOf(shops) : undefined;

const shareText = (share: number | undefined): string => shareWords(share ?? 0);

interface Others {
  was: Shares | undefined;
  is: Shares | undefined;
  /** Shops that have a sentence already. */
  named: ReadonlySet<number>;
  nameOf: ShopNameOf;
}

/** The shops whose share changes although they stay as they are. */
const others = ({ was, is, named, nameOf }: Others): string[] =>
  !was || !is
    ? []
    : [...is].flatMap(([id, share]) =>
        named.has(id) || shareText(share) === shareText(was.get(id))
          ? []
          : [`so ${nameOf(id)} gets ${shareText(share)}; was ${shareText(was.get(id))}`],
      );
