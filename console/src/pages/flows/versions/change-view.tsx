import { definitionOf } from '@payment-orchestrator/routing/definition/given-definition';
import { changeSentences } from '@payment-orchestrator/routing/words/change-sentences';
import type { ShopNames } from '../flow-queries';
import type { Definition } from '../model/form';
import { DiffView } from './diff-view';

interface Props {
  from: Definition;
  to: Definition;
  caption: string;
  /** Shown when there is no difference. */
  none: string;
  nameOf: ShopNames;
}

/** The differences of `to` in sentences. The fields of the API are one click away. */
export function ChangeView(props: Props) {
  const { from, to, caption, none, nameOf } = props;
  const sentences = changeSentences(definitionOf(from), definitionOf(to), nameOf);
  if (sentences.length === 0) return <p className="muted">{none}</p>;
  return (
    <>
      <ul className="sentences" aria-label={caption}>
        {sentences.map((sentence) => (
          <li key={sentence}>
            <bdi dir="ltr">{sentence}</bdi>
          </li>
        ))}
      </ul>
      <details className="screen-only">
        <summary>As fields of the API</summary>
        <DiffView from={from} to={to} caption={`${caption}, as fields`} none={none} />
      </details>
    </>
  );
}
