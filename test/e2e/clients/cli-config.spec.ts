import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BROKER_OF_THE_RUN, TestCloud, TestDeployment } from '@libs/testing';
import { CommandLine } from './command-line.js';

const [SECTION, KEY, VALUE, OTHER] =
  BROKER_OF_THE_RUN === 'iggy' ? ['http', 'max_request_size', '4 MB', '8 MB'] : ['mqtt', 'max_connections', '50', '60'];
const PATH = `${SECTION}.${KEY}`;

describe('The configuration in the command line', () => {
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
  const active = () => cloud.landlord.configs.getPrimary({ deployment_id: deployment.id });
  const valueOf = async () => (await active()).values[SECTION] as Record<string, unknown> | undefined;
  const isValue = (text: string | undefined) => (/^\d+$/.test(text ?? '') ? Number(text) : text);

  it('is changed by one command, which waits until the nodes run the change', async () => {
    await landlord.run('config', 'unset', PATH);
    const { version } = await active();
    const set = await landlord.run('config', 'set', `${PATH}=${VALUE}`, '-d', 'orders', '--wait', '--timeout', '2m');
    expect([set.stderr, set.code]).toEqual([set.stderr, 0]);
    expect(set.stderr).toContain(`+ ${PATH}: `);
    expect(await active()).toMatchObject({ version: version + 1, values: { [SECTION]: { [KEY]: isValue(VALUE) } } });
    const { nodes } = await deployment.detail();
    expect(nodes[0]).toMatchObject({ config_version: version + 1 });

    const same = await landlord.run('config', 'set', `${PATH}=${VALUE}`);
    expect([same.code, same.stderr]).toEqual([0, 'Nothing has changed.\n']);
    expect((await active()).version).toBe(version + 1);
  });

  it('is rolled back by one command, and a key has its default again after unset', async () => {
    for (const value of [VALUE, OTHER]) await landlord.run('config', 'set', `${PATH}=${value}`);
    expect(await valueOf()).toMatchObject({ [KEY]: isValue(OTHER) });
    const back = await landlord.run('config', 'rollback');
    expect([back.stderr, back.code]).toEqual([expect.stringContaining('landlord tasks create'), 0]);
    expect(await valueOf()).toMatchObject({ [KEY]: isValue(VALUE) });

    expect((await landlord.run('config', 'unset', PATH)).code).toBe(0);
    expect(await valueOf()).toBeUndefined();
    const { version } = await active();
    const activated = await landlord.run('config', 'activate', String(version - 1), '--wait');
    expect([activated.stderr, activated.code]).toEqual([activated.stderr, 0]);
    expect((await active()).version).toBe(version - 1);
  });

  it('names a similar key for one that does not exist, and shows every key with its limits', async () => {
    const wrong = await landlord.run('config', 'set', `${PATH}x=1`);
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toContain(`Did you mean ${PATH}?`);
    expect(await landlord.run('config', 'set', KEY ?? '')).toMatchObject({ code: 2 });

    const schema = await landlord.run('config', 'get-schema');
    expect(schema.stdout).toMatch(new RegExp(`^KEY +DEFAULT +LIMITS[^]*\n${PATH.replace('.', '\\.')} `));
    const json = await landlord.json<{ key: string }[]>('config', 'get-schema');
    expect(json.map(({ key }) => key)).toContain(SECTION);
  });

  it('is edited by a script without a terminal, which sees every key with its default and limits', async () => {
    const [script, text] = [join(landlord.home, 'editor.cjs'), join(landlord.home, 'seen.yaml')];
    writeFileSync(
      script,
      `const fs = require('node:fs'), file = process.argv[2], text = fs.readFileSync(file, 'utf8');
       fs.writeFileSync(${JSON.stringify(text)}, text);
       fs.writeFileSync(file, text.replace(/^ +(# )?${KEY}: .*$/m, '  ${KEY}: ${OTHER}'));`,
    );
    await landlord.run('config', 'unset', PATH);
    const scripted = new CommandLine({ ...landlord.environment, EDITOR: `${process.execPath} ${script}` });
    const edited = await scripted.run('config', 'edit');
    expect([edited.stderr, edited.code]).toEqual([expect.stringContaining(`+ ${PATH}: `), 0]);
    expect(readFileSync(text, 'utf8')).toMatch(new RegExp(`^${SECTION}:\n[^]*^  # .*\\(.*\\)\n  # ${KEY}: `, 'm'));
    expect(await valueOf()).toEqual({ [KEY]: isValue(OTHER) });

    const again = await scripted.run('config', 'edit');
    expect([again.code, again.stderr]).toEqual([0, 'Nothing has changed.\n']);
  });
});
