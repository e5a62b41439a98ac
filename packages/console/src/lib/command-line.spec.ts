import { execFileSync } from 'node:child_process';
import { commandLine, quoted } from './command-line.js';

/** The words that a shell reads. */
const readByShell = (text: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${text}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

describe('A line of the command line', () => {
  it('has the options with a value, in their order', () => {
    const line = commandLine({
      command: 'deployments create --starter',
      options: { cloud: 'aws', name: undefined, region: 'us-east-1', environment: '', nodes: 3 },
    });

    expect(line).toBe('landlord deployments create --starter --cloud aws --region us-east-1 --nodes 3');
  });

  it.each(['$(rm -rf ~)', "it's", '"; ls #', 'two\nlines', '--flag', 'Größe ☃', '*', '~'])(
    'keeps any name one word for a shell: %j',
    (name) => {
      expect(readByShell(quoted(name))).toEqual([name]);
    },
  );
});
