import { JsonLog } from '../../os/json-log.js';
import type { NodeDocument, NodeOrder } from '@libs/domain';
import { eventually } from '@libs/testing';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayError } from '../agent-error.js';
import { OrderFailed } from './order-failed.js';
import { removeLeftovers } from './order-leftovers.js';
import { OrderJournal } from './order-journal.js';
import { NodeOrderReconciler } from './node-order-reconciler.js';

type Perform = (order: NodeOrder, signal: AbortSignal) => Promise<object>;

describe('NodeOrderReconciler', () => {
  let dir: string;
  let end: AbortController;
  let running: Promise<void>[];
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-orders-'));
    end = new AbortController();
    running = [];
  });
  afterEach(async () => {
    end.abort();
    await Promise.all(running);
    await rm(dir, { recursive: true, force: true });
  });

  /** A keeper of a new agent. */
  const reconciler = (perform: Perform): NodeOrderReconciler => {
    const work = {
      perform: (order: NodeOrder, _document: unknown, signal: AbortSignal) => perform(order, signal),
      tidy: (orders: readonly NodeOrder[]) => removeLeftovers({ dir, installation: 'spec', nodeId: 1 }, orders),
    };
    const log = new JsonLog({ node: 1, process: 'agent' });
    const orderReconciler = new NodeOrderReconciler(work, new OrderJournal(dir), log, () => undefined);
    running.push(orderReconciler.run(end.signal));
    return orderReconciler;
  };
  const documentOf = (...ids: number[]): NodeDocument => {
    const orders = ids.map((id) => ({ id, kind: 'archive_data', parts: {}, options: {} }));
    return { spec: { orders } } as unknown as NodeDocument;
  };
  const ended = (orderReconciler: NodeOrderReconciler, count: number): Promise<unknown> =>
    eventually('orders end', async () => orderReconciler.reports.length === count);

  it('performs each order once, one after the other, also with a new agent', async () => {
    const performed: number[] = [];
    const perform: Perform = async ({ id }) => {
      performed.push(id);
      return {};
    };
    const first = reconciler(perform);
    first.setDesired(documentOf(1, 2));
    await ended(first, 2);

    const second = reconciler(perform);
    second.setDesired(documentOf(1, 2, 3));
    await ended(second, 3);

    expect(performed).toEqual([1, 2, 3]);
    expect(second.reports.map(({ id, status }) => [id, status])).toEqual([
      [1, 'done'],
      [2, 'done'],
      [3, 'done'],
    ]);
  });

  it('keeps the result of an order that the disk does not take, and performs the order once', async () => {
    let count = 0;
    const orderReconciler = reconciler(async () => {
      // A directory in the place of the file fails each rename, as a broken disk does.
      await mkdir(join(dir, 'orders.json', 'in the way'), { recursive: true });
      count += 1;
      return {};
    });
    orderReconciler.setDesired(documentOf(1));
    await eventually('the order is performed', () => count === 1);
    expect(orderReconciler.reports).toEqual([]);

    await rm(join(dir, 'orders.json'), { recursive: true });
    await ended(orderReconciler, 1);

    expect(orderReconciler.reports).toEqual([{ id: 1, status: 'done', error: null, parts: {} }]);
    expect(count).toBe(1);
    expect((await readdir(dir)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('retries only after failures of the gateway connection', async () => {
    let tries = 0;
    const orderReconciler = reconciler(async ({ id }) => {
      tries += 1;
      if (id === 1 && tries < 3) throw tries === 1 ? new GatewayError(503, null, 0) : codeOf('ECONNRESET');
      if (id === 2) throw new OrderFailed('no room');
      return { data: { sha256: 'a', size_bytes: 1 } };
    });

    orderReconciler.setDesired(documentOf(1, 2));
    await ended(orderReconciler, 2);

    expect(tries).toBe(4);
    expect(orderReconciler.reports).toEqual([
      { id: 1, status: 'done', error: null, parts: { data: { sha256: 'a', size_bytes: 1 } } },
      { id: 2, status: 'failed', error: 'no room', parts: {} },
    ]);
  });

  it('aborts an order that is withdrawn, and deletes results of orders outside the document', async () => {
    const begun: number[] = [];
    const aborted: number[] = [];
    const orderReconciler = reconciler(
      ({ id }, signal) =>
        new Promise((resolve, reject) => {
          begun.push(id);
          if (id === 2) return resolve({});
          signal.addEventListener('abort', () => {
            aborted.push(id);
            reject(signal.reason as Error);
          });
        }),
    );
    orderReconciler.setDesired(documentOf(1));
    await eventually('the order is begun', async () => begun.includes(1));

    orderReconciler.setDesired(documentOf(2));
    await ended(orderReconciler, 1);
    expect([aborted, orderReconciler.reports[0]?.id]).toEqual([[1], 2]);

    orderReconciler.setDesired(documentOf());
    await ended(orderReconciler, 0);
  });
});

const codeOf = (code: string): Error => Object.assign(new TypeError(code), { code });
