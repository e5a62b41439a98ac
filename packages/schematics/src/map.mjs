import { edit } from './edit.mjs';

const MAP = 'docs/architecture.md';
const COLUMN = 21;
const line = (name, text) => `${name.padEnd(COLUMN - 1)} ${text}\n`;

/** Adds a module of an app to the map of the folders. */
export function mapModule(tree, app, moduleName, text) {
  const block = new RegExp(`(\\n {2}${app}/src/[^\\n]*\\n(?: {4}[^\\n]*\\n)*?)( {4}(?:docs/ )?platform/)`);
  edit(tree, MAP, (map) =>
    map.replace(block, (_, modules, last) => `${modules}${line(`    ${moduleName}/`, text)}${last}`),
  );
}

/** Adds an app to the map of the folders. */
export function mapApp(tree, app, text) {
  const lines = line(`  ${app}/src/`, text) + line('    platform/', 'as in the main API');
  edit(tree, MAP, (map) => map.replace(/\nlibs\/\n/, (start) => `\n${lines}${start.slice(1)}`));
}

/** Adds a library to the map of the folders, and to the front page. */
export function mapLibrary(tree, library, text) {
  const before = /( {2}testing\/ [^\n]*\npackages\/)/;
  edit(tree, MAP, (map) => map.replace(before, (next) => line(`  ${library}/`, text) + next));
  const row = `| \`libs/${library}\` | ${text[0].toUpperCase()}${text.slice(1)} |\n`;
  edit(tree, 'README.md', (page) => page.replace(/(\| `packages` \|)/, (next) => row + next));
}
