import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@libs/testing';
import mqtt from 'mqtt';
import { describeImage, type AllInOne } from './container.fixture.js';

const HOST = 'cloud.example.com';
const ELSEWHERE = '203.0.113.0/24';

interface Connection {
  username: string;
  password: string;
  nodes: { tcp: string }[];
}

(await describeImage())('The image', (containers) => {
  const connectionOf = (landlord: AllInOne): Connection => {
    landlord.exec('landlord', 'deployments', 'create', '--starter', '--wait');
    return JSON.parse(landlord.exec('landlord', 'deployments', 'connect', '1', '-o', 'json'));
  };

  it('puts LANDLORD_HOST into every public address, and prints no link to a network', async () => {
    const landlord = await containers.start('named', '-e', `LANDLORD_HOST=${HOST}`, '--add-host', `${HOST}:127.0.0.1`);
    await landlord.isReady();
    const { main, supervisor } = landlord.ports;

    expect(landlord.output).toContain(`Main API        http://${HOST}:${main} `);
    expect(landlord.output).toContain(`Supervisor API  http://${HOST}:${supervisor} `);
    expect(landlord.output).not.toContain('/console/welcome');
    expect(connectionOf(landlord).nodes[0]?.tcp).toMatch(new RegExp(`^${HOST}:\\d+$`));
    const deployment = JSON.parse(landlord.exec('landlord', 'deployments', 'get', '1', '-o', 'json'));
    expect(deployment.supervisor_url).toBe(`http://${HOST}:${supervisor}`);
    expect(JSON.stringify(deployment)).not.toMatch(/localhost|127\.0\.0\.1|0\.0\.0\.0/);
    landlord.stop();
  });

  it('says in one line that it cannot write to the volume', async () => {
    const place = mkdtempSync(join(tmpdir(), 'landlord-closed-'));
    chmodSync(place, 0o755);
    try {
      const { status, output } = containers.podman.try('run', '--rm', '-v', `${place}:/data`, containers.image);

      expect([status, output.trim().split('\n')]).toEqual([
        expect.any(Number),
        [expect.stringMatching(/\/data.*10001|\/data.*permission/i)],
      ]);
      expect(status).not.toBe(0);
    } finally {
      rmSync(place, { recursive: true });
    }
  });

  it('says in one line that it may use too little memory', () => {
    const { status, output } = containers.podman.try('run', '--rm', '--memory', '256m', containers.image);

    expect([status, output.trim()]).toEqual([
      78,
      'Landlord needs 512 MiB of memory, and may use 256 MiB here. Raise the limit, or use another machine.',
    ]);
  });

  it('continues after a kill, and its gate says that a rule by address sees the gateway of the network', async () => {
    const landlord = await containers.start('killed');
    await landlord.isReady();
    const { username, password } = connectionOf(landlord);
    containers.podman.run('kill', 'killed');
    await eventually('the container has ended', () => !landlord.state.Running);
    landlord.startAgain();
    await landlord.isReady(2);
    for (const { id } of JSON.parse(landlord.exec('landlord', 'rules', 'list', '-d', '1', '-o', 'json')))
      landlord.exec('landlord', 'rules', 'delete', String(id), '-d', '1', '--yes');
    landlord.exec('landlord', 'rules', 'add', ELSEWHERE, '-d', '1');
    const { nodes }: Connection = JSON.parse(landlord.exec('landlord', 'deployments', 'connect', '1', '-o', 'json'));
    const isRefused = () =>
      mqtt
        .connectAsync(`mqtt://${nodes[0]?.tcp}`, { username, password, reconnectPeriod: 0 }, false)
        .then((client) => client.endAsync(true).then(() => false))
        .catch(() => true);
    await eventually('the rule is in force', isRefused);

    const linesOf = (): { message: string }[] =>
      JSON.parse(landlord.exec('landlord', 'logs', 'list', '-d', '1', '--message', 'access rules', '-o', 'json'));
    await eventually(
      () => `the gate gives a hint: ${JSON.stringify(linesOf())}`,
      async () => (await isRefused()) && JSON.stringify(linesOf()).includes('behind NAT'),
    );
  });
});
