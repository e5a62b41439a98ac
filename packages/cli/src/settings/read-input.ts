import { readFileSync } from 'node:fs';
import { usage } from '../exit.js';

/** The text of a file that a person names, or of stdin for "-". @throws CommandError when the file cannot be read */
export function readInput(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw usage(`The file ${file} cannot be read: ${(error as Error).message}`);
  }
}
