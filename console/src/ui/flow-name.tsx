import { useFlowNames } from '../api/use-shops';
import { ObjectLink } from './object-link';
import { Name } from './values';

/** Shows a flow by its name, or by its id if the session may not read flows or the flow was deleted. */
export function FlowName({ id, note = '' }: { id: number; note?: string }) {
  const name = useFlowNames().get(id);
  return name === undefined ? (
    <>
      Flow {id}
      {note}
    </>
  ) : (
    <ObjectLink type="flow" id={id}>
      {note === '' ? <Name value={name} /> : <bdi>{name}</bdi>}
      {note}
    </ObjectLink>
  );
}
