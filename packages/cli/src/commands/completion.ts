import { Argument, Command } from 'commander';
import { SHELLS } from '../completion/shells.js';

export const completionCommand = (): Command =>
  new Command('completion')
    .description('Prints a script for a shell, which completes commands, options, choices and names.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SHELLS)))
    .action((shell: string) => void process.stdout.write(`${SHELLS[shell]?.script}\n`));
