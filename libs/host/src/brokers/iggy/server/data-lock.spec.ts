import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { describeWithIggy } from '@libs/testing';
import { until } from '../../../../test/brokers/embedded.fixture.js';
import { IGGY_PROGRAM } from '../../../../test/brokers/iggy.fixture.js';
import { endProcesses } from '../../../os/end-processes.js';
import { pidsWith } from '../../../os/process-table.js';
import { startLocked } from './data-lock.js';
import type { ServerPlace } from './iggy-process.js';
import { reportedConfig } from './iggy-server.js';

const RACER = resolve('libs/host/test/brokers/lock-racer.mjs');
const BUILT = resolve('dist/libs/host/src/brokers/iggy/server');

/** A process that starts on command, at the same time as others. */
class Racer {
  readonly answers: string[] = [];
  readonly process: ChildProcess;

  constructor(plan: object) {
    const modules = ['data-lock.js', 'iggy-process.js'].map((name) => join(BUILT, name));
    const args = [RACER, ...modules, JSON.stringify(plan)];
    this.process = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    if (this.process.stdout)
      createInterface({ input: this.process.stdout }).on('line', (line) => this.answers.push(line));
  }

  start(what: 'server' | 'nothing'): void {
    this.process.stdin?.write(`${what}\n`);
  }

  async answer(number: number): Promise<string> {
    return until('the racer answers', () => this.answers[number]);
  }

  async end(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill('SIGKILL');
    await once(this.process, 'exit');
  }
}

describe('the lock of a data directory', () => {
  let dir: string;
  let place: ServerPlace;
  const racers: Racer[] = [];
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-lock-'));
    place = {
      ...{ name: `--landlord-lock=${dir}`, dir, data: join(dir, 'data'), config: join(dir, 'iggy.toml') },
      ...{ environment: join(dir, 'iggy.env'), output: join(dir, 'output.log'), memory: '', replica: null },
    };
    await mkdir(place.data);
  });
  afterEach(async () => {
    await Promise.all(racers.splice(0).map((racer) => racer.end()));
    await endProcesses({ name: place.name }, { graceMs: 0 });
    await rm(dir, { recursive: true, force: true });
  });

  async function race(count: number): Promise<Racer[]> {
    const config = `[system]\npath = ${JSON.stringify(place.data)}\n[system.runtime]\npath = "runtime/server"\n[tcp]\naddress = "127.0.0.1:0"\n[quic]\nenabled = false\n[websocket]\nenabled = false\n[http]\nenabled = true\naddress = "127.0.0.1:0"\n`;
    const files = { config, environment: 'IGGY_ROOT_USERNAME="root"\nIGGY_ROOT_PASSWORD="of-the-lock"\n' };
    const made = Array.from({ length: count }, () => new Racer({ program: IGGY_PROGRAM, place, files }));
    racers.push(...made);
    for (const racer of made) expect(await racer.answer(0)).toBe('ready');
    return made;
  }

  it('has one holder among many starters, also after holders that ended', async () => {
    const made = await race(6);
    for (let round = 1; made.length > 1; round += 1) {
      for (const racer of made) racer.start('nothing');
      const answers = await Promise.all(made.map((racer) => racer.answer(round)));
      const winner = made[answers.findIndex((answer) => answer.startsWith('started'))];

      expect(answers.filter((answer) => answer.startsWith('started'))).toEqual([`started ${winner?.process.pid}`]);
      const refused = /^refused (process \d+ has locked|other processes start servers on) the data directory/;
      for (const answer of answers.filter((one) => !one.startsWith('started'))) expect(answer).toMatch(refused);
      // Its lock stays behind, as after SIGKILL.
      await winner?.end();
      made.splice(made.indexOf(winner as Racer), 1);
    }
  });

  it('is free after a start that failed, and names only the last holder', async () => {
    await expect(startLocked(place.data, () => Promise.reject(new TypeError('no start')))).rejects.toThrow('no start');
    await startLocked(place.data, async () => ({ pid: process.pid, exited: new Promise(() => undefined) }));

    const locks = (await readdir(dir)).filter((name) => name.startsWith('data.lock'));
    expect(locks).toEqual(['data.lock.2']);
    expect(await readFile(join(dir, 'data.lock.2'), 'utf8')).toMatch(new RegExp(`^${process.pid} \\d+ [0-9a-f-]+$`));
    await expect(startLocked(place.data, () => Promise.reject(new TypeError('started')))).rejects.toThrow(
      `process ${process.pid} has locked the data directory of this node`,
    );
  });

  it.each([
    ['is torn', ''],
    ['names another process with the same pid', `${process.pid} 1 0f0f0f0f-0000-0000-0000-000000000000`],
    ['is not one', 'hello'],
  ])('is taken over when it %s', async (_case, content) => {
    await writeFile(`${place.data}.lock.7`, content);

    await startLocked(place.data, async () => ({ pid: process.pid, exited: new Promise(() => undefined) }));

    expect((await readdir(dir)).filter((name) => name.startsWith('data.lock'))).toEqual(['data.lock.8']);
  });

  describeWithIggy('with a real server', () => {
    it('lets one of two starters start it, keeps others out while it runs, and is free after its end', async () => {
      const [one, two] = (await race(2)) as [Racer, Racer];
      for (const racer of [one, two]) racer.start('server');
      const answers = await Promise.all([one.answer(1), two.answer(1)]);
      await until('the server listens', async () => (await reportedConfig(place.data)) !== null);

      const pids = await pidsWith({ name: place.name });
      expect(pids).toHaveLength(1);
      expect(answers.filter((answer) => answer === `started ${pids[0]}`)).toHaveLength(1);
      // The server outlives the process that started it.
      const [winner, loser] = answers[0] === `started ${pids[0]}` ? [one, two] : [two, one];
      await winner.end();
      loser.start('server');
      expect(await loser.answer(2)).toBe(`refused process ${pids[0]} has locked the data directory of this node`);
      expect(await pidsWith({ name: place.name })).toEqual(pids);

      await endProcesses({ name: place.name }, { graceMs: 0 });
      loser.start('server');
      expect(await loser.answer(3)).toMatch(/^started \d+$/);
    });
  });
});
