import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { lineOf, RedisNode, type RedisNodeOptions } from './redis-node.js';
import { freePort } from './free-port.mjs';

const SLOTS = 16_384;
const MASTERS = 3;
/** A node that does not answer for this long is replaced by its replica. */
const NODE_TIMEOUT_MS = 1_000;

export interface ClusterOptions extends RedisNodeOptions {
  /** The folder for data; processes write nowhere else. */
  folder: string;
  /** Default: 3. */
  masters?: number;
  /** For each master. Default: 0. */
  replicas?: number;
}

/** A Redis Cluster with the slots evenly distributed over its masters. */
export class RedisCluster {
  private constructor(readonly nodes: RedisNode[]) {}

  /** Resolves when every node has all slots covered, and every replica is in sync. */
  static async start({ folder, masters = MASTERS, replicas = 0, ...node }: ClusterOptions): Promise<RedisCluster> {
    const own = await mkdtemp(join(folder, 'redis-cluster-'));
    const busPorts = new Map<RedisNode, number>();
    const cluster = new RedisCluster([]);
    try {
      for (let made = 0; made < masters * (1 + replicas); made++) {
        const busPort = await freePort();
        const started = await startNode(own, busPort, node);
        busPorts.set(started, busPort);
        cluster.nodes.push(started);
      }
      await cluster.meet(busPorts);
      await cluster.assignSlots(masters);
      await cluster.assignReplicas(masters);
      await eventually(() => cluster.isWhole(masters));
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** The settings of API and worker, without passwords. */
  get env(): Record<string, string> {
    return { REDIS_CLUSTER_NODES: this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',') };
  }

  /** All running processes. */
  get pids(): number[] {
    return this.nodes.filter((node) => node.isRunning).map(({ pid }) => pid);
  }

  /** The slot of a key, by its hash tag if it has one. */
  async slotOf(key: string): Promise<number> {
    return Number(await this.anyNode.call('CLUSTER', 'KEYSLOT', key));
  }

  /**
   * The master of the slot, according to a running node: after a kill still the dead one, until a replica has taken
   * over.
   */
  async masterOf(slot: number): Promise<RedisNode> {
    const ranges = (await this.anyNode.call('CLUSTER', 'SLOTS')) as [number, number, [string, number]][];
    const [, , master] = ranges.find(([first, last]) => first <= slot && slot <= last)!;
    return this.nodes.find((node) => node.port === master[1])!;
  }

  /** SIGKILL. Resolves to the dead master at once, without waiting for another. */
  async killMasterOf(slot: number): Promise<RedisNode> {
    const master = await this.masterOf(slot);
    await master.kill();
    return master;
  }

  /**
   * Resolves to the new master of the slot when all running nodes agree that it is not `former`, and the cluster is
   * complete.
   */
  failedOver(slot: number, former: RedisNode): Promise<RedisNode> {
    return eventually(async () => {
      const master = await this.masterOf(slot);
      if (master === former || !(await this.isServing())) throw new Error('no failover yet');
      return master;
    });
  }

  /** Starts the killed nodes again; a former master becomes a replica of its successor. */
  async restartKilled(): Promise<void> {
    await Promise.all(this.nodes.filter((node) => !node.isRunning).map((node) => node.restart()));
    await eventually(() => this.isServing());
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
  }

  private get anyNode(): RedisNode {
    return this.nodes.find((node) => node.isRunning)!;
  }

  private async meet(busPorts: Map<RedisNode, number>): Promise<void> {
    const [first, ...others] = this.nodes;
    for (const other of others) await first!.call('CLUSTER', 'MEET', '127.0.0.1', other.port, busPorts.get(other)!);
    await eventually(async () => {
      for (const node of this.nodes) {
        if (lineOf(await clusterInfo(node), 'cluster_known_nodes') !== String(this.nodes.length)) return false;
      }
      return true;
    });
  }

  private async assignSlots(masters: number): Promise<void> {
    const firstOf = (index: number) => Math.floor((index * SLOTS) / masters);
    for (const [index, node] of this.nodes.slice(0, masters).entries()) {
      await node.call('CLUSTER', 'ADDSLOTSRANGE', firstOf(index), firstOf(index + 1) - 1);
    }
  }

  /** Retries, because a replica may learn late of its master. */
  private async assignReplicas(masters: number): Promise<void> {
    for (const [index, node] of this.nodes.slice(masters).entries()) {
      const master = String(await this.nodes[index % masters]!.call('CLUSTER', 'MYID'));
      await eventually(() => node.call('CLUSTER', 'REPLICATE', master));
    }
  }

  private async isWhole(masters: number): Promise<boolean> {
    const replicas = this.nodes.slice(masters);
    const links = await Promise.all(replicas.map((node) => node.info('master_link_status')));
    return links.every((link) => link === 'up') && (await this.isServing());
  }

  private async isServing(): Promise<boolean> {
    const states = await Promise.all(this.nodes.filter((node) => node.isRunning).map(clusterInfo));
    return states.every((state) => lineOf(state, 'cluster_state') === 'ok');
  }
}

const clusterInfo = async (node: RedisNode): Promise<string> => String(await node.call('CLUSTER', 'INFO'));

function startNode(folder: string, busPort: number, { args = [], ...options }: RedisNodeOptions): Promise<RedisNode> {
  const cluster = {
    'cluster-enabled': 'yes',
    'cluster-port': String(busPort),
    // a node that has met no other would not know its own address
    'cluster-announce-ip': '127.0.0.1',
    'cluster-node-timeout': String(NODE_TIMEOUT_MS),
    // a replica of a new cluster may be promoted at once
    'cluster-replica-validity-factor': '0',
    'repl-diskless-sync-delay': '0',
  };
  const settings = Object.entries(cluster).flatMap(([name, value]) => [`--${name}`, value]);
  return RedisNode.start(folder, { ...options, args: [...settings, ...args] });
}
