import { CommandError } from '../terminal.js';
import { formatFlowFile } from './flow-file.js';
import type { FlowsApi } from './flows-api.js';
import { named } from './named-definition.js';
import { nameOf } from './plan.js';

/** The text of a file with the active versions of the named flows; without names, of all flows. */
export async function exported(api: FlowsApi, names: string[]): Promise<string> {
  const [served, shopNames] = await Promise.all([api.flows(), api.shopNames()]);
  const unknown = names.find((name) => !served.some((flow) => flow.name === name));
  if (unknown !== undefined) throw new CommandError(`no flow is called ${unknown}`);
  const wanted = served.filter(({ name }) => names.length === 0 || names.includes(name));
  const flows = new Map<string, Record<string, unknown>>();
  for (const { id, name, version } of wanted) {
    const { definition } = await api.version(id, version);
    flows.set(
      name,
      named(definition, (shop) => nameOf(shopNames, shop)),
    );
  }
  return formatFlowFile(flows);
}
