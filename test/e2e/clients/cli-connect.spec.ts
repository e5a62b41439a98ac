import { TestCloud, TestDeployment } from '@libs/testing';
import { CommandLine } from './command-line.js';

describe('A program that the command line starts', () => {
  let cloud: TestCloud;
  let landlord: CommandLine;
  let deployment: TestDeployment;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    landlord = CommandLine.for(cloud);
    deployment = await TestDeployment.free(cloud, { deployment_name: 'orders' });
  });
  afterAll(async () => {
    await deployment.delete();
    await cloud.stop();
  });
  const exec = (...program: string[]) => landlord.run('deployments', 'connect', 'orders', '--exec', ...program);

  it('has the address and the login in its environment', async () => {
    const names = ['MQTT_HOST', 'MQTT_PORT', 'MQTT_USERNAME', 'MQTT_PASSWORD', 'LANDLORD_BROKER_PASSWORD'];
    const { username, password } = await deployment.login();
    const { stdout } = await exec('sh', '-c', names.map((name) => `echo "$${name}"`).join('; '));

    const [host, port, ...login] = stdout.trim().split('\n');
    expect(`${host}:${port}`).toBe((await deployment.nodes())[0]?.endpoints.tcp);
    expect(login).toEqual([username, password, password]);
  });

  it.each([
    ['exit 7', 7],
    ['exit 0', 0],
    ['kill -TERM $$', 143],
  ])('decides the exit code: %s is %i', async (script, code) => {
    expect(await exec('sh', '-c', script)).toEqual({ code, stdout: '', stderr: '' });
  });

  it('is named if it does not exist', async () => {
    expect(await exec('no-such-program')).toMatchObject({
      ...{ code: 127, stderr: expect.stringContaining('no-such-program') as string },
    });
  });

  it('is not needed for a name, which has no password', async () => {
    expect(await landlord.run('deployments', 'connect', '-o', 'name')).toMatchObject({ code: 0, stdout: 'orders\n' });
    const { code, stdout } = await landlord.run('runtime', 'get-credentials', '-o', 'name');
    expect([code, stdout]).toEqual([2, '']);
  });
});

describe('A wait of the command line', () => {
  let cloud: TestCloud;
  beforeAll(async () => (cloud = await TestCloud.borrow()));
  afterAll(() => cloud.stop());

  it('ends after its timeout with an own exit code, and the operation continues', async () => {
    const landlord = CommandLine.for(cloud);
    const words = ['deployments', 'create', '--starter', '--name', 'late', '--division', 'Default', '--wait'];
    const late = await landlord.run(...words, '--timeout', '1ms');
    expect([late.code, late.stdout]).toEqual([2, '']);
    const ended = await landlord.run(...words, '--timeout', '0.01s');
    expect(ended.stderr).toMatch(/has not ended within 0.01s. Operation \d+ continues.\ntry: landlord operations get/);
    expect(ended.code).toBe(10);

    const [, next = ''] = /try: landlord (.+)/.exec(ended.stderr) ?? [];
    expect((await landlord.run(...next.split(' '))).code).toBe(0);
    await cloud.landlord.operation(Number(next.split(' ').at(-1))).wait({ timeoutMs: 60_000 });
    const gone = await landlord.run('deployments', 'delete', 'late', '--yes', '--wait', '--timeout', '2m');
    expect([gone.stderr, gone.code]).toEqual([gone.stderr, 0]);
    expect(gone.stdout).not.toContain('steps');
  });
});
