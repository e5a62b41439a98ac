import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describeWithIggy, IGGY_SERVER, IggyHttp, numbered, skippedSuite } from '@libs/testing';
import type { BrokerUnderTest } from '../../../test/brokers/embedded.fixture.js';
import { anIggyNode, IGGY_PROGRAM } from '../../../test/brokers/iggy.fixture.js';
import { nodeFlag } from '../../control/node-home.js';

const PACKAGE = 'libfaketime';
const LIBRARY = resolve(`.landlord/packages/${PACKAGE}/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1`);

if (IGGY_SERVER !== null) spawnSync(process.execPath, ['scripts/debian-package.mjs', PACKAGE]);
const describeWithClock =
  IGGY_SERVER === null || existsSync(LIBRARY)
    ? describeWithIggy
    : skippedSuite('the clock of a server cannot be changed', `Install the package ${PACKAGE} of Debian`);

const nodes: BrokerUnderTest[] = [];

/** A node whose iggy-server has a clock of its own, and a function that sets it. */
async function aNodeWithClock(): Promise<{ node: BrokerUnderTest; setClock: (offset: string) => Promise<void> }> {
  const program = { ...IGGY_PROGRAM };
  const node = await anIggyNode({}, program);
  nodes.push(node);
  const clock = join(node.home.dir, 'clock');
  const setClock = (offset: string): Promise<void> => writeFile(clock, `${offset}\n`);
  await setClock('+0');
  const environment = `LD_PRELOAD='${LIBRARY}' FAKETIME_TIMESTAMP_FILE='${clock}' FAKETIME_NO_CACHE=1`;
  const own = `${environment} FAKETIME_DONT_FAKE_MONOTONIC=1 exec -a '${nodeFlag(node.home)}'`;
  program.path = join(node.home.dir, 'iggy-server');
  await writeFile(program.path, `#!/bin/bash\n${own} '${IGGY_PROGRAM.path}' "$@"\n`, { mode: 0o700 });
  return { node, setClock };
}

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

const clientOf = (node: BrokerUnderTest): Promise<IggyHttp> => IggyHttp.signIn(node.spec.listen.ports.http);

/** The `created_at` of a new stream: the time on the clock of the server, in milliseconds. */
async function timeOf(client: IggyHttp, stream: string): Promise<number> {
  await client.createTopic(stream);
  const { body } = await client.call<{ created_at: number }>('GET', `/streams/${stream}`);
  return body.created_at / 1_000;
}

describeWithClock('a node whose clock jumps', () => {
  it.each(['+40d', '-3d'])(
    'by %s while the server runs keeps its messages, stays ready and takes clients',
    async (jump) => {
      const { node, setClock } = await aNodeWithClock();
      const { pid } = await node.start();
      const before = await clientOf(node);
      const sent = await timeOf(before, 'orders');
      await before.send('orders', numbered(10));

      await setClock(jump);
      const after = await clientOf(node);

      expect(Math.round(((await timeOf(after, 'later')) - sent) / 86_400_000)).toBe(Number.parseInt(jump, 10));
      expect(await after.send('orders', numbered(10, 10))).toBe(201);
      expect(await after.poll('orders')).toEqual(numbered(20));
      expect((await node.ready()).pid).toBe(pid);
      expect(await node.runtime.stats(node.home)).toMatchObject({ messages: 20, streams: 2 });
    },
  );

  it('back by three days at a restart has every acknowledged message, in order, and a current password', async () => {
    const { node, setClock } = await aNodeWithClock();
    await setClock('+3d');
    await node.start();
    const before = await clientOf(node);
    await before.createTopic('orders');
    await before.send('orders', numbered(100));

    await setClock('+0');
    await node.runtime.kill(node.home);
    await node.start();
    await node.rotate('a newer password', null);

    await expect(clientOf(node)).rejects.toThrow('refused');
    const after = await IggyHttp.signIn(node.spec.listen.ports.http, 'a newer password');
    expect(await after.send('orders', ['after'])).toBe(201);
    expect(await after.poll('orders')).toEqual([...numbered(100), 'after']);
  });
});
