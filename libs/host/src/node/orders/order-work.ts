import { rm } from 'node:fs/promises';
import type { NodeDocument, NodeOrder, OrderReport } from '@libs/domain';
import { brokerRuntimeOf } from '../../brokers/broker-runtimes.js';
import { frozenDirectory } from '../../control/node-home.js';
import type { BrokerRuntime } from '../../control/broker-runtime.js';
import { packed, unpacking } from './archive.js';
import { CollectDiagnostics } from './collect-diagnostics.js';
import { requireCopiedData, takeCopiedData } from './copied-data.js';
import { DataSwap, syncPath, syncTree } from './data-swap.js';
import { listingOf } from './listing.js';
import { OrderFailed } from './order-failed.js';
import type { OrderDependencies } from './order-dependencies.js';

const STOP_DEADLINE_MS = 8_000;

type Perform = (order: NodeOrder, document: NodeDocument, signal: AbortSignal) => Promise<OrderReport['parts']>;

/** The implementation of each kind of order. All can be interrupted at any point and started again. */
export class OrderWork {
  private readonly byKind: Partial<Record<NodeOrder['kind'], Perform>> = {
    archive_data: (order, document, signal) => this.archive(order, document, signal),
    freeze_data: (_order, document) => this.freeze(document),
    restore_data: (order, document, signal) => this.restore(order, document, signal),
    revert_data: (order, document) => this.whileStopped(order, document, (data) => data.revert()),
    settle_data: (order, document) => this.settle(order, document),
    collect_diagnostics: (order, document, signal) =>
      new CollectDiagnostics(this.dependencies).perform(order, document, signal),
  };

  constructor(private readonly dependencies: OrderDependencies) {}

  /** Returns the uploaded parts. Rejects with OrderFailed when the order can never be performed. */
  async perform(order: NodeOrder, document: NodeDocument, signal: AbortSignal): Promise<OrderReport['parts']> {
    const perform = this.byKind[order.kind];
    if (!perform) throw new OrderFailed(`this agent does not support orders of kind ${order.kind}`);
    return perform(order, document, signal);
  }

  private async archive({ id }: NodeOrder, document: NodeDocument, signal: AbortSignal) {
    const { home, turn, objects } = this.dependencies;
    const frozen = frozenDirectory(home);
    try {
      await turn.run(() => this.runtime(document).freeze(home));
      return { data: await objects.upload(this.address(id), await packed(frozen), signal) };
    } finally {
      // A disk that deletes nothing loses no backup. The rest is deleted before the next order.
      await rm(frozen, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  /** The frozen data stays until the order is withdrawn: the provider takes a snapshot of the disk in the meantime. */
  private async freeze(document: NodeDocument) {
    const { home, turn } = this.dependencies;
    const frozen = frozenDirectory(home);
    await rm(frozen, { recursive: true, force: true });
    await turn.run(() => this.runtime(document).freeze(home));
    await syncTree(frozen);
    await syncPath(home.dir);
    return { data: await listingOf(frozen) };
  }

  private async restore(order: NodeOrder, document: NodeDocument, signal: AbortSignal) {
    const { id, parts, options } = order;
    if (!parts.data) throw new OrderFailed('the order names no data to restore');
    const swap = this.swap(order, document);
    if (options.disk) await requireCopiedData(this.dependencies.home.dir, id, parts.data);
    await swap.begin();
    if (options.disk) await takeCopiedData(this.dependencies.home.dir, id, swap.incoming);
    else await this.dependencies.objects.download(this.address(id), parts.data, await unpacking(swap.incoming), signal);
    await this.runtime(document).adopt(this.dependencies.home, swap.incoming, document.spec);
    return this.whileStopped(order, document, () => swap.replace());
  }

  private async settle(order: NodeOrder, document: NodeDocument) {
    await this.swap(order, document).settle();
    return {};
  }

  /** Keeps the broker stopped until the work is done, because the keeper of the broker waits for the mutex. */
  private async whileStopped(order: NodeOrder, document: NodeDocument, work: (swap: DataSwap) => Promise<void>) {
    if (document.spec.broker.want !== 'stopped')
      throw new OrderFailed('the broker must be stopped before its data is replaced');
    const { home, turn } = this.dependencies;
    await turn.run(async () => {
      await this.runtime(document).stop(home, STOP_DEADLINE_MS);
      await work(this.swap(order, document));
    });
    return {};
  }

  private address(order: number) {
    return { order, part: 'data', authorization: this.dependencies.authorization() } as const;
  }

  private swap({ options }: NodeOrder, document: NodeDocument): DataSwap {
    return new DataSwap(this.runtime(document).dataDirectory(this.dependencies.home), options.restore ?? 0);
  }

  private runtime(document: NodeDocument): BrokerRuntime {
    return brokerRuntimeOf(document.spec.broker.driver, this.dependencies.binaries);
  }
}
