import { pythonWith } from '../python-with.js';

const PACKAGE = 'apache-iggy==0.8.0';
const FOLDER = '.landlord/packages/python-apache-iggy-0.8.0';

/** A Python with the SDK of Apache Iggy 0.8, in a folder of this checkout. Null where there is no Python or no package index. */
export async function pythonWithIggy(): Promise<string | null> {
  return (await pythonWith(FOLDER, PACKAGE)).python;
}
