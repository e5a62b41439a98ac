import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { NodeDiagnostics, NodeDocument, NodeOrder, OrderPart, OrderReport } from '@libs/domain';
import { DIAGNOSTICS_LIMITS } from '@libs/domain/node-orders';
import { brokerRuntimeOf } from '../../brokers/broker-runtimes.js';
import { frozenDirectory } from '../../control/node-home.js';
import { reasonOf } from '../../os/json-log.js';
import type { BrokerRuntime } from '../../control/broker-runtime.js';
import { OrderFailed } from './order-failed.js';
import type { OrderDependencies } from './order-dependencies.js';

/** Performs `collect_diagnostics`. If the data is unavailable, the node's diagnostics are still uploaded, with the reason. */
export class CollectDiagnostics {
  constructor(private readonly dependencies: OrderDependencies) {}

  async perform(order: NodeOrder, document: NodeDocument, signal: AbortSignal): Promise<OrderReport['parts']> {
    const failures: NodeDiagnostics['failures'] = [];
    const data = order.options.include_data === true ? await this.data(order, document, signal, failures) : null;
    const diagnostics = await this.diagnostics(order, document, signal, failures);
    return { diagnostics, ...(data && { data }) };
  }

  private async diagnostics(
    { id, options }: NodeOrder,
    document: NodeDocument,
    signal: AbortSignal,
    failures: NodeDiagnostics['failures'],
  ) {
    // Loaded with the first of these orders, to save memory in an agent without them.
    const { Diagnostics } = await import('./diagnostics/diagnostics.js');
    const authorization = this.dependencies.authorization();
    const diagnostics = await new Diagnostics(this.dependencies.diagnostics).collect(
      document,
      options,
      authorization,
      failures,
    );
    const packed = await promisify(gzip)(JSON.stringify(diagnostics));
    if (packed.length > DIAGNOSTICS_LIMITS.packedBytes)
      throw new OrderFailed('the diagnostic data of the node is too large');
    return this.dependencies.objects.upload(this.address(id, 'diagnostics'), Readable.from([packed]), signal);
  }

  private async data(
    order: NodeOrder,
    document: NodeDocument,
    signal: AbortSignal,
    failures: NodeDiagnostics['failures'],
  ) {
    const { home, turn, binaries, objects } = this.dependencies;
    const frozen = frozenDirectory(home);
    const missing = (error: unknown): null => {
      failures.push({ what: 'a copy of the data', why: reasonOf(error) });
      return null;
    };
    try {
      const runtime = brokerRuntimeOf(document.spec.broker.driver, binaries);
      const isFrozen = await turn.run(() => runtime.freeze(home)).then(() => true, missing);
      if (!isFrozen) return null;
      await this.addServerSnapshot(runtime, order, document).catch((error: unknown) =>
        failures.push({ what: "the server's own snapshot", why: reasonOf(error) }),
      );
      const { zipDirectory } = await import('./diagnostics/zip-directory.js');
      return await objects.upload(this.address(order.id, 'data'), await zipDirectory(frozen), signal);
    } catch (error) {
      // The data exceeds the limit of the store. A retry does not help, unlike after a network failure.
      if (error instanceof OrderFailed) return missing(error);
      throw error;
    } finally {
      await rm(frozen, { recursive: true, force: true });
    }
  }

  /** Beside the copy of the data, because a server that has such a function shows its data with it. */
  private async addServerSnapshot(
    runtime: BrokerRuntime,
    { options }: NodeOrder,
    document: NodeDocument,
  ): Promise<void> {
    const { home } = this.dependencies;
    if (runtime.diagnose === undefined || document.spec.broker.want === 'stopped') return;
    const { keepServerSnapshot } = await import('./diagnostics/server-snapshot.js');
    const { DiagnosticsRedaction } = await import('./diagnostics/diagnostics-redaction.js');
    const redaction = new DiagnosticsRedaction(
      document,
      this.dependencies.authorization(),
      options.redact_secrets ?? true,
    );
    await keepServerSnapshot(await runtime.diagnose(home), frozenDirectory(home), redaction.text);
  }

  private address(order: number, part: OrderPart) {
    return { order, part, authorization: this.dependencies.authorization() };
  }
}
