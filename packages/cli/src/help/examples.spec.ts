import { execFileSync } from 'node:child_process';
import type { Command } from 'commander';
import { helpText } from '../../test/reviewed-texts.js';
import { createProgram, withProgram } from '../program.js';
import { withVerb } from '../short-forms.js';

/** The words of each line, as a shell splits them. */
function wordsOf(lines: readonly string[]): string[][] {
  const script = lines.map((line) => `printf '%s\\0' ${line}; printf '\\n\\0'`).join('\n');
  const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0');
  return words
    .join('\0')
    .split('\0\n\0')
    .filter(Boolean)
    .map((one) => one.split('\0'));
}

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];

describe('The help of the command line', () => {
  it('has examples that the command line takes', async () => {
    const text = await helpText();
    const lines = [...text.matchAll(/^ {2}\$ (landlord .*)$/gm)].map(([, line = '']) => line);
    expect(lines.length).toBeGreaterThan(200);
    const commands = text
      .split(/^\$ /m)
      .slice(1)
      .filter((one) => !one.includes('\nResources:\n') && !one.includes('\nCommands:\n'));
    expect(commands.filter((one) => !one.includes('\nExamples:\n')).map((one) => one.split('\n')[0])).toEqual([]);

    for (const [, ...typed] of wordsOf(lines)) {
      const words = withVerb(typed);
      const program = await createProgram(words);
      for (const command of allOf(program)) command.exitOverride().configureOutput({ writeErr: () => undefined });
      for (const command of allOf(program)) if (command.commands.length === 0) command.action(() => undefined);
      const refusal = await program.parseAsync(withProgram(words), { from: 'user' }).then(() => null, String);
      expect([typed.join(' '), refusal]).toEqual([typed.join(' '), null]);
    }
  });

  it('of a command is the same after the word help', async () => {
    const { withoutHelp } = await import('../program.js');

    expect(withoutHelp(['help', 'deployments', 'create'])).toEqual(['deployments', 'create', '--help']);
    expect(withoutHelp(['help'])).toEqual(['help']);
    expect(withoutHelp(['deployments', 'help'])).toEqual(['deployments', 'help']);
  });
});
