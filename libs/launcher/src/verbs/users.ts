import { run } from '@landlord/cli';
import type { Command } from 'commander';

/**
 * The commands for users. The build resolves the name of a package only in a static import, so this file is loaded on use.
 * Returns the exit code.
 */
export const runForUsers = (words: readonly string[], operators: readonly Command[]): Promise<number> =>
  run(words, operators);
