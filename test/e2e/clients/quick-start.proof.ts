import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BROKER_OF_THE_RUN, eventually, TestCloud } from '@libs/testing';

const ROOT = join(import.meta.dirname, '../../..');
/** The commands of the quick start in the README, without their comments. */
const COMMANDS = commandsOf(readFileSync(join(ROOT, 'README.md'), 'utf8'));

describe('The quick start of the README', () => {
  let home: string;
  let cloud: TestCloud;
  const running: ChildProcess[] = [];
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    home = mkdtempSync(join(tmpdir(), 'landlord-home-'));
  });
  afterAll(async () => {
    for (const child of running) stop(child);
    rmSync(home, { recursive: true, force: true });
    await cloud.stop();
  });

  /** Starts a line of the README in the folder of the project, like a person. */
  function start(line: string): { child: ChildProcess; printed: () => string; ended: Promise<number | null> } {
    let text = '';
    const child = spawn('sh', ['-c', line], {
      cwd: ROOT,
      env: {
        ...{ PATH: process.env['PATH'], HOME: home, npm_config_update_notifier: 'false' },
        ...{ LANDLORD_URL: cloud.mainApi.url, LANDLORD_API_KEY: cloud.key },
        LANDLORD_TENANT_ID: String(cloud.installation.tenant_id),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of processes, so that the test stops the program that the command line has started, too.
      detached: true,
    });
    running.push(child);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { child, printed: () => text, ended };
  }

  async function succeeds(line: string): Promise<string> {
    const { printed, ended } = start(line);
    const code = await ended;
    expect([`${line}\n${printed()}`, code]).toEqual([`${line}\n${printed()}`, 0]);
    return printed();
  }

  it('creates a deployment, receives a message, and deletes the deployment', async () => {
    expect(COMMANDS).toHaveLength(6);
    const [create = '', connect = '', subscribe = '', publish = '', metrics = '', remove = ''] = COMMANDS;

    expect(await succeeds(create)).toContain('succeeded');
    expect(await succeeds(connect)).toMatch(/username[^]*password[^]*nodes/);
    if (BROKER_OF_THE_RUN !== 'iggy') {
      const listener = start(subscribe);
      // The programs of MQTT.js end with code 0 after an error, so the failure shows what they have printed.
      let publisher = '';
      const programs = () =>
        `the message is received. Exit code of the listener: ${listener.child.exitCode}\n${listener.printed()}\n${publisher}`;
      await eventually(programs, async () => {
        publisher = await succeeds(publish);
        return listener.printed().includes('greetings hello');
      });
      stop(listener.child);
      await listener.ended;
    }
    expect(await succeeds(metrics)).toMatch(/broker/);
    await succeeds(remove);
    expect(await cloud.landlord.deployments.list({ ...cloud.placeIds })).toMatchObject({ items: [] });
  });
});

function commandsOf(readme: string): string[] {
  const [, section = ''] = readme.split('\n## Quick start\n');
  const [, block = ''] = /```sh\n([^]*?)```/.exec(section) ?? [];
  return block
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, ''));
}

function stop({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGTERM');
}
