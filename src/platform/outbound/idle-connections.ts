import type { Connection } from './connection.js';

/** All connections that carry nothing, over all origins: beyond the bound the one that has been idle longest is closed. */
export class IdleConnections {
  private readonly connections = new Set<Connection>(); // in order of becoming idle

  constructor(private readonly max: number) {}

  get size(): number {
    return this.connections.size;
  }

  add(connection: Connection): void {
    this.connections.add(connection);
    if (this.connections.size <= this.max) return;
    for (const oldest of this.connections) return oldest.close();
  }

  remove(connection: Connection): void {
    this.connections.delete(connection);
  }

  closeAll(): void {
    for (const connection of [...this.connections]) connection.close();
  }
}
