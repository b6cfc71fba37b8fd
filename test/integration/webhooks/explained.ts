import pg from 'pg';
import type { Statement } from '../../../src/platform/database/database.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

export interface Explained {
  /** Tables with their access paths, sorted, each once: `table by index`, `table whole`. */
  reads: string[];
  /** Rows that were read, including those that were filtered out. */
  rows: number;
  /** Rows that any step of the plan made or compared. */
  handled: number;
  /** Pages of tables and indexes that were read, each as often as it was. */
  pages: number;
}

/** Runs the prepared statement with this kind of plan, and rolls it back. */
export async function explained(
  client: pg.Client,
  { text }: Statement,
  values: unknown[],
  kind: 'generic' | 'custom',
): Promise<Explained> {
  await client.query(`SET plan_cache_mode = force_${kind}_plan`);
  await client.query(`PREPARE explained AS ${text}`);
  await client.query('SAVEPOINT explained');
  try {
    const call = `EXECUTE explained${values.length > 0 ? ` (${values.map(literal).join(', ')})` : ''}`;
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${call}`,
    );
    const nodes = flat(rows[0]!['QUERY PLAN'][0]!.Plan);
    const reads = nodes.filter((node) => node['Relation Name'] !== undefined && node['Node Type'] !== 'ModifyTable');
    return {
      reads: [...new Set(reads.map(read))].sort(),
      rows: sumOf(nodes, (node) => removedBy(node) + (node['Relation Name'] === undefined ? 0 : madeBy(node))),
      handled: sumOf(nodes, (node) => removedBy(node) + madeBy(node)),
      pages: (nodes[0]!['Shared Hit Blocks'] ?? 0) + (nodes[0]!['Shared Read Blocks'] ?? 0),
    };
  } finally {
    await client.query('ROLLBACK TO SAVEPOINT explained');
    await client.query('DEALLOCATE explained');
  }
}

const flat = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flat)];

/** Returns the access path. Partitions count as one table; partitions of the bodies are named after their day. */
function read(node: PlanNode): string {
  const by = indexOf(node) ?? (node['Node Type'] === 'Tid Scan' ? 'ctid' : undefined);
  const plain = (name: string) => name.replace(/_\d{8}|_default/, '');
  return `${plain(node['Relation Name']!)} ${by === undefined ? 'whole' : `by ${plain(by)}`}`;
}

/** The index of the scan, also that of a bitmap. */
const indexOf = (node: PlanNode): string | undefined =>
  node['Index Name'] ??
  (node['Node Type'] === 'Bitmap Heap Scan'
    ? node.Plans?.map(({ 'Index Name': name }) => name).find((name) => name !== undefined)
    : undefined);

const sumOf = (nodes: PlanNode[], countOf: (node: PlanNode) => number): number =>
  nodes.reduce((sum, node) => sum + countOf(node), 0);

const removedBy = (node: PlanNode): number =>
  ((node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0)) *
  (node['Actual Loops'] ?? 1);

const madeBy = (node: PlanNode): number => (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1);

type Scalar = string | number | Date | Buffer | null;

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  return pg.escapeLiteral(
    Array.isArray(value) ? `{${(value as Scalar[]).map(element).join(',')}}` : text(value as Scalar),
  );
}

const element = (value: Scalar): string => (value === null ? 'NULL' : `"${text(value).replaceAll(/["\\]/g, '\\$&')}"`);

function text(value: Scalar): string {
  if (value instanceof Date) return value.toISOString();
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value);
}
