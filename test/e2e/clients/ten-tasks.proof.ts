import { BROKER_OF_THE_RUN, eventually, TestCloud } from '@libs/testing';
import { CommandLine } from './command-line.js';
import { HttpProxy } from './http-proxy.js';
import { charactersOf, tasksOfTheGuide } from './ten-tasks.js';

const TASKS = tasksOfTheGuide();
/** Options of commands that follow something. */
const FOLLOWS = / --wait| -f /;
/** The settings of a broker are its own. */
const SETTING = BROKER_OF_THE_RUN === 'iggy' ? 'http.max_request_size=4MB' : null;

describe('The ten tasks of the guide of the command line', () => {
  let cloud: TestCloud;
  let proxy: HttpProxy;
  let landlord: CommandLine;
  beforeAll(async () => {
    [cloud, proxy] = await Promise.all([TestCloud.borrow(), HttpProxy.start()]);
    const { environment } = CommandLine.for(cloud);
    landlord = new CommandLine({ ...environment, http_proxy: proxy.url });
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

  it('do what they say, with the requests that the table says', async () => {
    for (const { title, landlord: lines, figures } of TASKS) {
      for (const line of lines) await play(line);
      const [, , requests = 0] = figures;
      const sent = proxy.asked.splice(0).length;
      // A wait asks again after a break. The person ends the log at any time.
      if (lines.some((line) => FOLLOWS.test(line))) expect([title, Math.min(sent, requests)]).toEqual([title, sent]);
      else expect([title, sent]).toEqual([title, requests]);
    }
    expect((await cloud.landlord.deployments.list({ ...cloud.placeIds })).items).toEqual([]);
  });

  /** Plays a line of the guide. The line must succeed. */
  async function play(line: string): Promise<void> {
    const words = line.split(' ').slice(1);
    if (words.includes('-f')) return watch(words);
    const filled = words.map((word) => (word.includes('=') ? (SETTING ?? word) : word));
    const { code, stderr } = await landlord.run(...filled);
    expect([`${line}\n${stderr}`, code]).toEqual([`${line}\n${stderr}`, 0]);
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
