import { join } from 'node:path';
import type { OrderReport, NodeOrderId } from '@libs/domain';
import { readFileIfAny, writePrivateFile } from '../../os/private-file.js';

/**
 * Results of the node's orders. They are written to disk before they are reported, so that a new agent performs no order twice.
 */
export class OrderJournal {
  private readonly path: string;
  private ended: OrderReport[] = [];

  constructor(dir: string) {
    this.path = join(dir, 'orders.json');
  }

  /** An unreadable file counts as missing. Then its orders are performed again, which is safe for every order. */
  async load(): Promise<void> {
    const content = await readFileIfAny(this.path);
    if (content === null) return;
    try {
      this.ended = JSON.parse(content) as OrderReport[];
    } catch {
      this.ended = [];
    }
  }

  get reports(): readonly OrderReport[] {
    return this.ended;
  }

  has(id: NodeOrderId): boolean {
    return this.ended.some((report) => report.id === id);
  }

  async end(report: OrderReport): Promise<void> {
    await this.write([...this.ended, report]);
  }

  /** Deletes results of orders that are no longer in the document. */
  async keepOnly(ids: readonly NodeOrderId[]): Promise<void> {
    const reports = this.ended.filter(({ id }) => ids.includes(id));
    if (reports.length < this.ended.length) await this.write(reports);
  }

  private async write(reports: OrderReport[]): Promise<void> {
    await writePrivateFile(this.path, JSON.stringify(reports));
    this.ended = reports;
  }
}
