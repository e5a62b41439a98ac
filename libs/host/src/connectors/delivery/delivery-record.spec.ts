import { appendFile, mkdir, mkdtemp, open, readFile, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { CONNECTORS_FILES } from '../connectors-files.js';
import { DeliveryRecord, deliveredCounts } from './delivery-record.js';

const dirs: string[] = [];
afterEach(async () => {
  await Promise.all(dirs.splice(0).map((dir) => rm(dir, { recursive: true })));
});

async function aHome(): Promise<{ dir: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'landlord-record-'));
  dirs.push(dir);
  await mkdir(CONNECTORS_FILES.state({ dir }));
  return { dir };
}

describe('DeliveryRecord', () => {
  it('has the deliveries and their number after it is opened again', async () => {
    const home = await aHome();
    const record = await DeliveryRecord.open(home, 2);
    await record.add(['a', 'b "quoted"']);
    await record.add(['c']);
    await record.close();

    const again = await DeliveryRecord.open(home, 2);

    expect([again.count, again.has('a'), again.has('b "quoted"'), again.has('d')]).toEqual([3, true, true, false]);
    expect(await deliveredCounts(home, 2)).toEqual({ messages: 3, failed: 0 });
    await again.close();
  });

  it('counts each delivery once, and reads no part of a line, after the disk was full', async () => {
    const home = await aHome();
    const record = await DeliveryRecord.open(home, 2);
    await record.add(['a']);
    const handle = await open(CONNECTORS_FILES.delivered(home, 2));
    const full = jest
      .spyOn(Object.getPrototypeOf(handle) as FileHandle, 'appendFile')
      .mockImplementation(async function (this: FileHandle, content) {
        await this.write(String(content).slice(0, 2));
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      });
    await expect(record.add(['b'])).rejects.toThrow('ENOSPC');
    await expect(record.add(['b'])).rejects.toThrow('ENOSPC');
    full.mockRestore();
    await handle.close();
    expect([record.count, record.has('b')]).toEqual([1, false]);

    await record.add(['b']);
    await record.close();

    const again = await DeliveryRecord.open(home, 2);
    expect([again.count, again.has('a'), again.has('b')]).toEqual([2, true, true]);
    await again.close();
  });

  it('skips a line that an earlier release has continued after a full disk', async () => {
    const home = await aHome();
    await writeFile(CONNECTORS_FILES.delivered(home, 2), '0 0\n"a"\n"b"c"\n"d"\n');

    const record = await DeliveryRecord.open(home, 2);

    expect([record.count, record.has('a'), record.has('d')]).toEqual([2, true, true]);
    await record.close();
  });

  it('counts refused messages apart, also after it is opened again', async () => {
    const home = await aHome();
    const record = await DeliveryRecord.open(home, 2);
    await record.add(['a', 'b']);
    await record.addRefused(['poison']);
    await record.close();

    for (let opened = 0; opened < 2; opened++) {
      const again = await DeliveryRecord.open(home, 2);
      expect([again.count, again.refusedCount, again.has('poison')]).toEqual([2, 1, true]);
      await again.close();
    }
    expect(await deliveredCounts(home, 2)).toEqual({ messages: 2, failed: 1 });
  });

  it('ignores a partial line from a crash, and appends after it', async () => {
    const home = await aHome();
    const record = await DeliveryRecord.open(home, 2);
    await record.add(['a']);
    await record.close();
    await appendFile(CONNECTORS_FILES.delivered(home, 2), '"b');

    const again = await DeliveryRecord.open(home, 2);
    await again.add(['c']);

    expect([again.count, again.has('b'), again.has('c')]).toEqual([2, false, true]);
    expect(await deliveredCounts(home, 2)).toMatchObject({ messages: 2 });
    await again.close();
  });

  it('counts all deliveries but stores only the last ones, so that memory and disk stay bounded', async () => {
    const home = await aHome();
    const record = await DeliveryRecord.open(home, 2);
    for (let part = 0; part < 30; part++)
      await record.add(Array.from({ length: 1_000 }, (_, index) => `${part * 1_000 + index}`));

    expect([record.count, record.has('29999'), record.has('25000'), record.has('24999')]).toEqual([
      30_000,
      true,
      true,
      false,
    ]);
    expect((await readFile(CONNECTORS_FILES.delivered(home, 2), 'utf8')).split('\n').length).toBeLessThan(20_000);
    expect(await deliveredCounts(home, 2)).toMatchObject({ messages: 30_000 });
    await record.close();
  });
});
