// node scripts/release/notes.mjs <tag>: prints the section of CHANGELOG.md about the release of this tag. Exit code 2: the tag is not `v` with the
// version of package.json, or the changelog has no section about this version.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build-stamp.mjs';

const [tag = ''] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
if (tag !== `v${version}`) refuse(`The tag is "${tag}", and the version of package.json is ${version}.`);
const notes = sectionOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'));
if (!notes) refuse(`CHANGELOG.md has no section "## ${version} - <date>", or it is empty.`);
console.log(notes);

/** The text below the heading of the version, up to the next release. */
function sectionOf(changelog) {
  const sections = changelog.split(/^## /m).slice(1);
  const own = sections.find((section) => /^(\S+) - \d{4}-\d{2}-\d{2}\n/.exec(section)?.[1] === version);
  return own?.slice(own.indexOf('\n')).trim();
}

function refuse(sentence) {
  console.error(sentence);
  process.exit(2);
}
