import { InvalidArgumentError, type Command } from 'commander';

/** A command that also prints JSON. */
export const withJson = (command: Command): Command => command.option('--json', 'print all data as JSON');

/** A command for one thing, which its id names. */
export const byId = (parent: Command, name: string): Command =>
  parent.command(name).argument('<id>', 'the id', integer);

/** @throws InvalidArgumentError */
export function integer(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new InvalidArgumentError('The value must be a whole number above 0.');
  return Number(text);
}
