import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skippedTest, TestCloud } from '@libs/testing';
import { CommandLine } from './command-line.js';

const LANDLORD = join(import.meta.dirname, '../../../dist/libs/launcher/src/main.js');
const hasShell = (name: string): boolean => spawnSync(name, ['-c', 'exit 0']).status === 0;

/** What a shell completes, after the word that its user types. The shell prints one candidate in a line. */
const ASK = {
  bash: (words: string) =>
    `source <(landlord completion bash); COMP_WORDS=(landlord ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _landlord; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (words: string) =>
    `compdef() { :; }; _describe() { printf '%s\\n' "$lines[@]"; }; source <(landlord completion zsh); words=(landlord ${words}); CURRENT=$#words; _landlord`,
  fish: (words: string) => `landlord completion fish | source; complete -C 'landlord ${words.replace(/ ''$/, ' ')}'`,
};

describe('The completion of the command line', () => {
  let cloud: TestCloud;
  let landlord: CommandLine;
  let folder: string;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    landlord = CommandLine.for(cloud);
    folder = mkdtempSync(join(tmpdir(), 'landlord-bin-'));
    writeFileSync(join(folder, 'landlord'), `#!/bin/sh\nexec '${process.execPath}' '${LANDLORD}' "$@"\n`, {
      mode: 0o755,
    });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await cloud.stop();
  });
  const linesOf = (stdout: string): string[] => stdout.split('\n').filter((line) => line !== '');
  const completed = async (...words: string[]): Promise<string[]> =>
    linesOf((await landlord.run('complete', 'fish', ...words)).stdout).map((line) => line.split('\t')[0] ?? '');

  it('offers commands, options and choices', async () => {
    expect(await completed('dep')).toEqual(['deployments']);
    expect(await completed('deployments', 'conn')).toEqual(['connect']);
    expect(await completed('deployments', 'create', '--cl')).toEqual(['--cloud', '--cluster']);
    expect(await completed('rules', 'list', '-o', '')).toEqual(['table', 'wide', 'json', 'yaml', 'name']);
    expect(await completed('deployments', 'create-starter', '--cloud', 'g')).toEqual(['gcp']);
    expect(await completed('ops', '')).toContain('incidents');
    expect(await completed('deployments', 'create', '--region', '')).toEqual([]);
  });

  it('offers the names and ids of the organization', async () => {
    const { id } = await landlord.json<{ id: number }>('divisions', 'create', '--name', 'Payments');

    expect(await completed('environments', 'list', '--division', 'pay')).toEqual(['Payments']);
    expect(await completed('environments', 'list', '--division=pay')).toEqual(['--division=Payments']);
    const elsewhere = CommandLine.for(cloud, { LANDLORD_URL: 'http://127.0.0.1:9' });
    const found = await elsewhere.run('complete', 'fish', `--url=${cloud.mainApi.url}`, 'divisions', 'get', 'pay');
    expect(found.stdout).toMatch(/^Payments\t/);
    expect(await completed('divisions', 'get', '')).toContain('Payments');
    expect(await completed('divisions', 'get', 'Payments', '')).toEqual([]);
    const [key] = (await cloud.landlord.apiKeys.list({})).items;
    expect(await completed('keys', 'get', '')).toContain(key?.name);
    await landlord.run('divisions', 'delete', String(id), '--yes');
  });

  it('offers the id of a name that a command would take for an option', async () => {
    const name = '--body=@key';
    const { id } = await landlord.json<{ id: number }>('divisions', 'create', `--name=${name}`);

    const offered = await completed('divisions', 'get', '');
    expect(offered).toContain(String(id));
    expect(offered).not.toContain(name);
    await landlord.run('divisions', 'delete', String(id), '--yes');
  });

  it('offers no names without an answer, and prints no error', async () => {
    const nobody = new CommandLine({ LANDLORD_URL: 'http://127.0.0.1:9', LANDLORD_API_KEY: 'ld_wrong' });

    for (const person of [nobody, new CommandLine()])
      expect(await person.run('complete', 'bash', 'divisions', 'get', '')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  for (const [shell, ask] of Object.entries(ASK)) {
    const itWithShell = hasShell(shell) ? it : skippedTest(`there is no ${shell}`, `Install ${shell}`);
    itWithShell(`works in ${shell}, also with a name that the shell could execute`, async () => {
      const name = 'a $(touch taken) b';
      const { id } = await landlord.json<{ id: number }>('divisions', 'create', '--name', name);
      const run = (words: string): string[] => {
        const { PATH = '' } = process.env;
        const env = { ...landlord.environment, PATH: `${folder}:${PATH}` };
        const { stdout, stderr } = spawnSync(shell, ['-c', ask(words)], { encoding: 'utf8', cwd: folder, env });
        expect(stderr).toBe('');
        return linesOf(stdout).map((line) => line.replace(/[\t:].*/, ''));
      };

      expect(run('deployments conn')).toEqual(['connect']);
      const [offered] = run("divisions get ''").filter((line) => line.includes('touch'));
      const typed = shell === 'bash' ? (offered ?? '') : `'${name}'`;
      const { stdout } = spawnSync(shell, ['-c', `printf '%s' ${typed}`], { encoding: 'utf8', cwd: folder });
      expect(stdout).toBe(name);
      await landlord.run('divisions', 'delete', String(id), '--yes');
    });
  }
});
