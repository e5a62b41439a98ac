import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, TestCloud, TestDeployment } from '@libs/testing';
import { CommandLine } from './command-line.js';
import { itInTerminal } from './in-terminal.js';
import { PseudoTerminal } from './pseudo-terminal.js';

const CTRL_C = '\u0003';

describe('The command line in a terminal', () => {
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
  /** An editor that writes the next of these texts at each start, and keeps what it has read. */
  function editorOf(name: string, ...texts: string[]): Record<string, string> {
    const [script, seen] = [join(landlord.home, `${name}.cjs`), join(landlord.home, `${name}.seen`)];
    writeFileSync(
      script,
      `const fs = require('node:fs'), [, , file] = process.argv, texts = ${JSON.stringify(texts)};
       const seen = fs.existsSync('${seen}') ? JSON.parse(fs.readFileSync('${seen}', 'utf8')) : [];
       const text = fs.readFileSync(file, 'utf8');
       fs.writeFileSync('${seen}', JSON.stringify([...seen, { text, mode: fs.statSync(file).mode & 0o777, file }]));
       if (texts[seen.length] !== undefined) fs.writeFileSync(file, texts[seen.length]);`,
    );
    return { EDITOR: `${process.execPath} ${script}` };
  }
  const seenBy = (name: string) =>
    JSON.parse(readFileSync(join(landlord.home, `${name}.seen`), 'utf8')) as {
      text: string;
      mode: number;
      file: string;
    }[];

  itInTerminal('asks for a key without showing the key, and stores it', async () => {
    const person = new CommandLine();
    const login = PseudoTerminal.landlord(person, ['login', '--url', cloud.mainApi.url]);
    await login.shows(`API key for ${cloud.mainApi.url}: `);
    login.type(`${cloud.key}\r`);

    expect(await login.exitCode()).toBe(0);
    expect(login.written).toContain('You use the tenant');
    expect(login.written).not.toContain(cloud.key);
    expect((await person.run('divisions', 'list')).code).toBe(0);
  });

  itInTerminal('stores nothing after Ctrl-C', async () => {
    const person = new CommandLine();
    const login = PseudoTerminal.landlord(person, ['login', '--url', cloud.mainApi.url]);
    await login.shows(`API key for ${cloud.mainApi.url}: `);
    login.type(CTRL_C);

    expect(await login.exitCode()).toBe(130);
    expect(existsSync(join(person.home, '.config'))).toBe(false);
  });

  itInTerminal('asks before it deletes, and deletes nothing without a yes', async () => {
    await landlord.json('divisions', 'create', '--name', 'Asked about');
    const removal = async (answer: string): Promise<number> => {
      const command = PseudoTerminal.landlord(landlord, ['divisions', 'delete', 'asked about']);
      await command.shows('Type yes:');
      command.type(`${answer}\r`);
      return command.exitCode();
    };

    expect(await removal('no')).toBe(1);
    expect((await landlord.run('divisions', 'get', 'asked about')).code).toBe(0);
    expect(await removal('yes')).toBe(0);
    expect((await landlord.run('divisions', 'get', 'asked about')).code).toBe(4);
  });

  itInTerminal('opens a configuration in an editor, again after an error, and shows what changes', async () => {
    const { version } = await active();
    const editor = editorOf('twice', 'mqtt: {max_connections: many}\n', 'mqtt:\n  max_connections: 50\n');
    const command = PseudoTerminal.landlord(landlord, ['config', 'edit', '-d', 'orders'], { env: editor });
    await command.shows('Type yes:');
    command.type('yes\r');
    await command.shows(/\+ mqtt.max_connections: 50[^]*Type yes:/);
    command.type('yes\r');

    expect(await command.exitCode()).toBe(0);
    expect(command.written).toContain('landlord tasks create --type broker:reconfigure');
    expect(await active()).toMatchObject({ version: version + 1, values: { mqtt: { max_connections: 50 } } });
    const [first, second] = seenBy('twice');
    expect(first).toMatchObject({ mode: 0o600, text: expect.stringContaining(`# Version ${version} of`) as string });
    expect(second?.text).toMatch(/^# .*mqtt[^]*\nmqtt: \{max_connections: many\}/);
    expect(existsSync(first?.file ?? '')).toBe(false);
  });

  itInTerminal('saves no configuration that is the same, that is refused twice, or that nobody confirms', async () => {
    const before = await active();
    const edited = (name: string, ...texts: string[]) =>
      PseudoTerminal.landlord(landlord, ['config', 'edit', '-d', 'orders'], { env: editorOf(name, ...texts) });

    const same = edited('same');
    expect(await same.exitCode()).toBe(0);
    expect(same.written).toContain('Nothing has changed.');
    const broken = edited('broken', 'mqtt: [', 'mqtt: [');
    expect(await broken.exitCode()).toBe(5);
    expect(broken.written).toContain('Nothing was saved.');
    const unconfirmed = edited('unconfirmed', 'mqtt:\n  max_connections: 70\n');
    await unconfirmed.shows('Type yes:');
    unconfirmed.type('no\r');
    expect(await unconfirmed.exitCode()).toBe(1);
    const failing = PseudoTerminal.landlord(landlord, ['config', 'edit', '-d', 'orders'], { env: { EDITOR: 'false' } });
    expect(await failing.exitCode()).toBe(1);
    expect(failing.written).toContain('The editor false has ended with code 1');

    expect(await active()).toEqual(before);
  });

  for (const end of ['SIGHUP', 'SIGTERM', 'Ctrl-C'] as const)
    itInTerminal(`deletes the draft of a configuration after ${end} in the editor`, async () => {
      const seen = join(landlord.home, `draft-${end}`);
      const editor = { EDITOR: `sh -c 'echo "$1" > ${seen}; exec sleep 600' sh` };
      const command = PseudoTerminal.landlord(landlord, ['config', 'edit', '-d', 'orders'], { env: editor });
      await eventually('the editor is open', async () => existsSync(seen) && readFileSync(seen, 'utf8').endsWith('\n'));
      const draft = readFileSync(seen, 'utf8').trim();
      expect(existsSync(draft)).toBe(true);

      if (end === 'Ctrl-C') command.type(CTRL_C);
      else for (const pid of command.processes() ?? []) process.kill(pid, end);
      await eventually('the draft is deleted', async () => !existsSync(draft));
      command.end();
    });
});
