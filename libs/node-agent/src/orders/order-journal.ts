import { join } from 'node:path';
import type { OrderReport } from '@libs/domain';
import { readFileIfAny, writePrivateFile } from '@libs/broker/runtime';

/** What came of the node's orders, on disk before anybody is told, so that a new agent does none of them twice. */
export class OrderJournal {
  private readonly path: string;
  private ended: OrderReport[] = [];

  constructor(dir: string) {
    this.path = join(dir, 'orders.json');
  }

  /** A file that cannot be understood counts as none: what it told is done again, which every order bears. */
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

  has(id: number): boolean {
    return this.ended.some((report) => report.id === id);
  }

  async end(report: OrderReport): Promise<void> {
    await this.write([...this.ended, report]);
  }

  /** What the document no longer lists need not be remembered. */
  async keepOnly(ids: readonly number[]): Promise<void> {
    const kept = this.ended.filter(({ id }) => ids.includes(id));
    if (kept.length < this.ended.length) await this.write(kept);
  }

  private async write(reports: OrderReport[]): Promise<void> {
    await writePrivateFile(this.path, JSON.stringify(reports));
    this.ended = reports;
  }
}
