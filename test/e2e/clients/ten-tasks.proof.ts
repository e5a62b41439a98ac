import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { BROKER_OF_THE_RUN, eventually, TestCloud } from '@libs/testing';
import { CommandLine } from './command-line.js';
import { HttpProxy } from './http-proxy.js';
import { itInTerminal } from './in-terminal.js';
import { PseudoTerminal } from './pseudo-terminal.js';
import { charactersOf, tasksOfTheGuide } from './ten-tasks.js';

const TASKS = tasksOfTheGuide();
/** Options of commands that follow something. */
const FOLLOWS = / --wait| --apply| -f /;
const SETTING = BROKER_OF_THE_RUN === 'iggy' ? 'http.max_request_size: 4 MB\n' : 'mqtt:\n  max_connections: 50\n';

describe('The ten tasks of the guide of the command line', () => {
  let cloud: TestCloud;
  let proxy: HttpProxy;
  let landlord: CommandLine;
  beforeAll(async () => {
    [cloud, proxy] = await Promise.all([TestCloud.borrow(), HttpProxy.start()]);
    const { environment } = CommandLine.for(cloud);
    landlord = new CommandLine({ ...environment, http_proxy: proxy.url });
    writeFileSync(
      join(landlord.home, 'editor.cjs'),
      `require('node:fs').writeFileSync(process.argv[2], ${JSON.stringify(SETTING)})`,
    );
  });
  afterAll(async () => {
    await proxy.stop();
    await cloud.stop();
  });

  it('have as many commands and characters as the table says', () => {
    expect(TASKS).toHaveLength(10);
    for (const { title, landlord: ours, laser, figures } of TASKS) {
      const [commands, characters, , theirCommands, theirCharacters] = figures;
      expect([title, commands, characters]).toEqual([title, ours.length, charactersOf(ours)]);
      expect([title, theirCommands, theirCharacters]).toEqual([title, laser.length, charactersOf(laser)]);
    }
  });

  itInTerminal('do what they say, with the requests that the table says', async () => {
    for (const { title, landlord: lines, figures } of TASKS) {
      for (const line of lines) await play(line);
      const [, , requests = 0] = figures;
      const sent = proxy.asked.splice(0).length;
      // A wait asks again after a break. The person ends the log at any time.
      if (lines.some((line) => FOLLOWS.test(line))) expect([title, sent <= requests]).toEqual([title, true]);
      else expect([title, sent]).toEqual([title, requests]);
    }
    expect((await cloud.landlord.deployments.list({ ...cloud.placeIds })).items).toEqual([]);
  });

  /** Plays a line of the guide. The line must succeed. */
  async function play(line: string): Promise<void> {
    const words = line.split(' ').slice(1);
    if (words.includes('edit')) return edit(words);
    if (words.includes('-f')) return watch(words);
    const backup = words.includes('<backup>') ? await newestBackup() : '';
    const filled = words.map((word) => (word === '<backup>' ? backup : word));
    const { code, stderr } = await landlord.run(...filled);
    expect([`${line}\n${stderr}`, code]).toEqual([`${line}\n${stderr}`, 0]);
  }

  async function newestBackup(): Promise<string> {
    const [{ deployment_id = 0 } = {}] = (await cloud.landlord.operations.list({ type: 'take_backup' })).items;
    const [backup] = await cloud.landlord.backups.list({ deployment_id: Number(deployment_id) });
    return String(backup?.id);
  }

  /** The person saves the file in the editor, and agrees. */
  async function edit(words: readonly string[]): Promise<void> {
    const editor = `${process.execPath} ${join(landlord.home, 'editor.cjs')}`;
    const command = PseudoTerminal.landlord(landlord, words, { env: { EDITOR: editor } });
    await command.shows('Type yes:');
    command.type('yes\r');
    const code = await command.exitCode();
    expect([command.written, code]).toEqual([command.written, 0]);
  }

  async function watch(words: readonly string[]): Promise<void> {
    const command = landlord.start(...words);
    await eventually('the stream is open', () =>
      Promise.resolve(proxy.asked.some((one) => one.includes('/logs/stream'))),
    );
    command.kill('SIGINT');
    expect(await command.ended).toMatchObject({ code: 0 });
  }
});
